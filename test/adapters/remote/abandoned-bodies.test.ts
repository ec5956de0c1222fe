import { expect } from 'chai';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';

const MB = 2 ** 20;

/** An answer whose body is produced piece by piece until it is cancelled. */
function endless(piece: () => Promise<Uint8Array>, init?: ResponseInit) {
  let cancel: () => void;
  const cancelled = new Promise<void>((resolve) => (cancel = resolve));
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => controller.enqueue(await piece()),
    cancel: () => cancel(),
  });
  return { response: new Response(body, init), cancelled };
}

const silence = async (): Promise<never> => new Promise(() => undefined);
const blanks = async (): Promise<Uint8Array> => new Uint8Array(64 * 1024).fill(0x20);

describe('a body that RemotePetCatalogue does not read to its end is cancelled, even if fetch ignores its signal,', () => {
  async function listBy(fetch: () => Promise<Response>): Promise<unknown> {
    const catalogue = new RemotePetCatalogue({ url: 'http://e/v1', apiKey: 'key', deadlineMs: 100, fetch });
    return rejectionOf(catalogue.list({ limit: 1 }));
  }

  const REFUSED = { name: 'RemoteStoreError' };
  const REDIRECT = { status: 307, headers: { Location: '/v1' } };
  for (const [what, start, members] of [
    ['is too large', () => endless(blanks), REFUSED],
    ['is not UTF-8', () => endless(async () => Uint8Array.of(0xff)), REFUSED],
    ['is that of a redirect, and too large', () => endless(blanks, REDIRECT), REFUSED],
    ['falls silent until the deadline', () => endless(silence), { code: 'store_unavailable' }],
  ] as const) {
    it(`if it ${what}`, async () => {
      const { response, cancelled } = start();
      expect(await listBy(async () => response)).to.include(members);
      await cancelled;
    });
  }

  it('if the answer comes after the deadline', async () => {
    const { response, cancelled } = endless(blanks);
    let answer: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => (answer = resolve));
    expect(await listBy(async () => late)).to.have.property('code', 'store_unavailable');
    answer(response);
    await cancelled;
  });

  it('and the call still says what was wrong if the body cannot be cancelled', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(3 * MB)),
      cancel: () => {
        throw new Error('cannot be cancelled');
      },
    });
    expect(await listBy(async () => new Response(body))).to.have.property('name', 'RemoteStoreError');
  });
});

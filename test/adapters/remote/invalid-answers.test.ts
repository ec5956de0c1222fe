import { expect } from 'chai';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { RemoteStoreError } from '../../../src/adapters/remote/remote-store-error.js';
import type { PetQuery } from '../../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted, type Script } from './scripted-service.js';
import { KEY } from './serve-catalogue.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const MB = 2 ** 20;

/** Texts that are no animal. */
const NO_PETS = [
  'null',
  '7',
  '"Rex"',
  '[]',
  '{}',
  '{"id":"1","name":"Rex","categoryId":7}',
  '{"id":1.5,"name":"Rex","categoryId":7}',
  '{"id":9223372036854775808,"name":"Rex","categoryId":7}',
  '{"id":1e400,"name":"Rex","categoryId":7}',
  '{"id":0,"name":"Rex","categoryId":7}',
  '{"id":-1,"name":"Rex","categoryId":7}',
  '{"id":null,"name":"Rex","categoryId":7}',
  '{"id":1,"name":7,"categoryId":7}',
  '{"id":1,"name":"","categoryId":7}',
  '{"id":1,"name":"\\ud800","categoryId":7}',
  `{"id":1,"name":"${'x'.repeat(1025)}","categoryId":7}`,
  '{"id":1,"name":"Rex"}',
  '{"id":1,"name":"Rex","categoryId":"7"}',
  '{"id":1,"name":"Rex","categoryId":0.5}',
  '{"id":1,"name":"Rex","categoryId":-9223372036854775809}',
  '{"id":1,"name":"Rex","categoryId":7,"status":null}',
  '{"id":1,"name":"Rex","categoryId":7,"status":"lost"}',
  '{"__proto__":{"id":1,"name":"Rex","categoryId":7}}',
];

/** Bodies that are no answer at all. */
const NO_ANSWERS: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  HTML: '<!doctype html><title>Sign in</title>',
  'half of a text': '[{"id":1,',
  'two texts': '[][]',
  'no UTF-8': new Uint8Array([0x22, 0xff, 0x22]),
  'an animal whose name is no UTF-8': Buffer.from('[{"id":1,"name":"R\xffx","categoryId":7}]', 'latin1'),
  'a byte order mark': '\ufeff[]',
  'UTF-16': Buffer.from('[]', 'utf16le'),
  '3 MB of white space': ' '.repeat(3 * MB),
  '2 MB of brackets': '['.repeat(2 * MB),
  '2 MB of digits': '1'.repeat(2 * MB),
  '3 MB of an animal': `[{"id":1,"name":"${'x'.repeat(3 * MB)}","categoryId":7}]`,
};

function pet(id: number, status = ''): string {
  return `{"id":${id},"name":"Rex","categoryId":7${status && `,"status":"${status}"`}}`;
}

/** Pages that the query did not ask for. */
const WRONG_PAGES: readonly (readonly [what: string, query: PetQuery, body: string, link?: string])[] = [
  ['an object', { limit: 2 }, '{}'],
  ['too many animals', { limit: 2 }, `[${[1, 2, 3].map((id) => pet(id)).join()}]`],
  ['animals in no order', { limit: 2 }, `[${pet(2)},${pet(1)}]`],
  ['an animal twice', { limit: 2 }, `[${pet(1)},${pet(1)}]`],
  ['an animal that is not after', { limit: 2, after: 7n }, `[${pet(7)}]`],
  ['another status', { limit: 2, status: 'sold' }, `[${pet(1, 'pending')}]`],
  ['no status', { limit: 2, status: 'sold' }, `[${pet(1)}]`],
  ['a next page after nothing', { limit: 2 }, '[]', '</v1/pets?after=1>; rel="next"'],
  ['a next page that goes back', { limit: 2 }, `[${pet(2)}]`, '</v1/pets?after=1>; rel="next"'],
  ['a next page that leaves animals out', { limit: 2 }, `[${pet(2)}]`, '</v1/pets?after=3>; rel="next"'],
  ['a next page after no int64', { limit: 2 }, `[${pet(2)}]`, '</v1/pets?after=9223372036854775808>; rel="next"'],
  ['a next page without after', { limit: 2 }, `[${pet(2)}]`, '</v1/pets>; rel="next"'],
];

describe('an answer of a remote store that breaks the interface', function () {
  this.timeout(60_000);

  async function catalogueOn(script: Script, deadlineMs?: number): Promise<RemotePetCatalogue> {
    const { url } = await startScripted(script);
    return new RemotePetCatalogue({ url, apiKey: KEY, deadlineMs });
  }

  async function expectRefused(call: Promise<unknown>, status: number): Promise<void> {
    const error = await rejectionOf(call);
    expect(error).to.be.instanceOf(RemoteStoreError).with.property('status', status);
    expect((error as Error).message.length).to.be.lessThan(500);
  }

  for (const text of NO_PETS) {
    it(`is refused as an animal: ${text.slice(0, 80)}`, async () => {
      await expectRefused((await catalogueOn({ status: 201, body: text })).add(REX), 201);
      await expectRefused((await catalogueOn({ body: `[${text}]` })).find(1n), 200);
    });
  }

  for (const [what, body] of Object.entries(NO_ANSWERS)) {
    it(`is refused as a list and as a creation: ${what}`, async () => {
      await expectRefused((await catalogueOn({ body })).list({ limit: 100 }), 200);
      await expectRefused((await catalogueOn({ status: 201, body })).add(REX), 201);
    });
  }

  for (const [what, query, body, link] of WRONG_PAGES) {
    it(`is refused as a page: ${what}`, async () => {
      const catalogue = await catalogueOn({ body, headers: link === undefined ? {} : { Link: link } });
      await expectRefused(catalogue.list(query), 200);
    });
  }

  it('is refused as the creation of another animal', async () => {
    for (const body of [
      '{"id":1,"name":"Tom","categoryId":7}',
      '{"id":1,"name":"Rex","categoryId":8}',
      '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}',
    ]) {
      await expectRefused((await catalogueOn({ status: 201, body })).add(REX), 201);
    }
  });

  for (const status of [200, 202, 204]) {
    it(`is refused as a creation by its status: ${status}`, async () => {
      const script = { status, body: status === 204 ? '' : pet(1) };
      await expectRefused((await catalogueOn(script)).add(REX), status);
    });
  }

  it('is refused before much of it is read if it never ends', async () => {
    let sent = 0;
    const catalogue = await catalogueOn((response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        if (!response.destroyed) response.write(piece, () => ((sent += piece.length), setImmediate(write)));
      };
      write();
    });
    await expectRefused(catalogue.list({ limit: 1 }), 200);
    // What the sockets and the streams between hold comes on top of the limit.
    expect(sent).to.be.lessThan(32 * MB);
  });

  it('ends with the deadline if it drips for ever', async () => {
    const catalogue = await catalogueOn((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    }, 500);
    expect(await rejectionOf(catalogue.list({ limit: 1 }))).to.have.property('code', 'store_unavailable');
  });

  it('is refused by its decompressed size', async () => {
    const { gzipSync } = await import('node:zlib');
    const body = gzipSync(Buffer.alloc(200 * MB, ' '));
    const before = process.memoryUsage().rss;
    const catalogue = await catalogueOn({ body, headers: { 'Content-Encoding': 'gzip' } });
    await expectRefused(catalogue.list({ limit: 1 }), 200);
    expect(process.memoryUsage().rss - before).to.be.lessThan(150 * MB);
  });

  it('is accepted if 100 animals have the longest names, each character escaped', async () => {
    const name = '😀'.repeat(1024);
    const escaped = '\\ud83d\\ude00'.repeat(1024);
    const body = Array.from(
      { length: 100 },
      (_, i) => `{ "id" : ${2n ** 62n + BigInt(i)}, "name" : "${escaped}", "categoryId" : -${2n ** 63n} }`,
    );
    const { pets } = await (await catalogueOn({ body: `[ ${body.join(' ,\n')} ]` })).list({ limit: 100 });
    expect(pets).to.have.length(100);
    expect(pets[99]).to.deep.equal({ id: 2n ** 62n + 99n, name, categoryId: -(2n ** 63n) });
  });
});

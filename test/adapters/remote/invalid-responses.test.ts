import { expect } from 'chai';
import { RemoteStoreError } from '../../../src/adapters/remote/remote-store-error.js';
import type { PetQuery } from '../../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted, type Script } from './scripted-service.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const MB = 2 ** 20;

/** Texts that are not an animal, each with the reason in the error; `%` stands for the expected kind of text. */
const NO_PETS: Readonly<Record<string, readonly string[]>> = {
  '% is not an object': ['null', '7', '"Rex"', '[]'],
  'the id of % is not a positive int64': [
    '{}',
    '{"id":"1","name":"Rex","categoryId":7}',
    '{"id":1.5,"name":"Rex","categoryId":7}',
    '{"id":9223372036854775808,"name":"Rex","categoryId":7}',
    '{"id":0,"name":"Rex","categoryId":7}',
    '{"__proto__":{"id":1,"name":"Rex","categoryId":7}}',
  ],
  // The other rules are those of the domain.
  '% breaks a rule: name': ['{"id":1,"name":"","categoryId":7}'],
};

const NO_JSON = 'its body is not well-formed JSON: the error is at position';

/** Bodies that are neither a page nor an animal, and the reason in the error. */
const NO_RESPONSES: Readonly<Record<string, readonly [body: string, reason: string]>> = {
  HTML: ['<!doctype html><title>Sign in</title>', `${NO_JSON} 1`],
  'two texts': ['[][]', `${NO_JSON} 3`],
  '2 MB of brackets': ['['.repeat(2 * MB), 'its body is nested more than 100 levels deep'],
};

function pet(id: number, status = ''): string {
  return `{"id":${id},"name":"Rex","categoryId":7${status && `,"status":"${status}"`}}`;
}

/** Pages that do not match their query for two animals and the given rest, and the reason in the error. */
const WRONG_PAGES: Readonly<Record<string, readonly [body: string, reason: string, query?: Partial<PetQuery>]>> = {
  'an object': ['{}', 'its body is not an array'],
  'too many animals': [`[${pet(1)},${pet(2)},${pet(3)}]`, 'it has more animals than requested: 3'],
  'animals in no order': [`[${pet(2)},${pet(1)}]`, 'the id of animal 2 is not in order'],
  'an animal twice': [`[${pet(1)},${pet(1)}]`, 'the id of animal 2 is not in order'],
  'an animal that is not after': [`[${pet(7)}]`, 'the id of animal 1 is not in order', { after: 7n }],
  'another status': [`[${pet(1, 'sold')},${pet(2, 'pending')}]`, 'animal 2 has another status', { status: 'sold' }],
  'no status': [`[${pet(1)}]`, 'animal 1 has another status', { status: 'sold' }],
};

describe('a response of a remote store that breaks the interface', function () {
  this.timeout(180_000);

  async function listed(script: Script, query: Partial<PetQuery> = {}): Promise<unknown> {
    return (await startScripted(script)).catalogue().list({ limit: 2, ...query });
  }

  async function created(script: Script): Promise<unknown> {
    return (await startScripted(script)).catalogue().add(REX);
  }

  /** @param reason What the message says is wrong. */
  async function expectRefused(call: Promise<unknown>, status: number, reason: string): Promise<void> {
    const error = await rejectionOf(call);
    expect(error).to.be.instanceOf(RemoteStoreError).with.property('status', status);
    const { message } = error as Error;
    expect(message.slice(0, 500)).to.equal(message);
    expect(message).to.include(`the remote store answered ${status}: ${reason}`);
  }

  for (const [reason, texts] of Object.entries(NO_PETS)) {
    it(`is refused, because ${reason.replace('%', 'the animal')}`, async () => {
      for (const text of texts) {
        await expectRefused(created({ status: 201, body: text }), 201, reason.replace('%', 'the animal'));
        await expectRefused(listed({ body: `[${pet(1)},${text}]` }), 200, reason.replace('%', 'animal 2'));
      }
    });
  }

  for (const [what, [body, reason]] of Object.entries(NO_RESPONSES)) {
    it(`is refused as a list and as a creation: ${what}`, async () => {
      await expectRefused(listed({ body }), 200, reason);
      await expectRefused(created({ status: 201, body }), 201, reason);
    });
  }

  it('is refused by its Content-Length before its body arrives, and ends its connection', async () => {
    let close: () => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const endless: Script = (response) =>
      response
        .writeHead(200, { 'Content-Length': 2 * MB + 1 })
        .once('close', close)
        .write(' ');
    await expectRefused(listed(endless), 200, 'its body is larger than 2097152 bytes');
    await closed;
  });

  for (const [what, [body, reason, query]] of Object.entries(WRONG_PAGES)) {
    it(`is refused as a page: ${what}`, async () => {
      await expectRefused(listed({ body }, query), 200, reason);
    });
  }

  it('is refused as a page without animals that has a next one', async () => {
    const headers = { Link: '</v1/pets?after=1>; rel="next"' };
    await expectRefused(listed({ headers }), 200, 'it links to a next page, but has no animals');
  });

  it('is refused as the creation of another animal', async () => {
    for (const body of [pet(1).replace('Rex', 'Tom'), pet(1).replace('7', '8'), pet(1, 'sold')]) {
      await expectRefused(created({ status: 201, body }), 201, 'the animal is not the one that was sent');
    }
  });

  it('is refused as a creation by a status that is not 201', async () => {
    for (const status of [200, 204]) {
      const script = { status, body: status === 204 ? '' : pet(1) };
      const message = `the remote store answered ${status}`;
      expect(await rejectionOf(created(script))).to.include({ name: 'RemoteStoreError', message });
    }
  });

  for (const status of [300, 302, 308, 399]) {
    it(`is refused as a redirect, and nothing is sent to its target: ${status}`, async () => {
      const other = await startScripted({});
      const script = { status, headers: { Location: `${other.url}/pets` } };
      const reason = 'a redirect, which is not followed: set url to the final address';
      await expectRefused(listed(script), status, reason);
      await expectRefused(created(script), status, reason);
      expect(other.seen).to.deep.equal([]);
    });
  }
});

describe('a page of a remote store', () => {
  for (const [link, hasNext] of [
    ['</v1/pets?after=7>; rel="next"', true],
    ['</v1/pets?after=7>;REL=next', true],
    ['</style.css>; rel=preload; as=style, <b>; rel=next', true],
    ['</v1/pets>; rel="prev"', false],
    ['<a>; rel="nextish"', false],
    ['<a>; title="next"', false],
    ['', false],
  ] as const) {
    it(`${hasNext ? 'has' : 'is without'} a next one if Link is ${JSON.stringify(link)}`, async () => {
      const { catalogue } = await startScripted({ body: `[${pet(2)},${pet(5)}]`, headers: link ? { Link: link } : {} });
      const { next } = await catalogue().list({ limit: 2 });
      expect(next).to.equal(hasNext ? 5n : undefined);
    });
  }

  it('may have 100 animals with the longest names, each character escaped', async () => {
    const escaped = '\\ud83d\\ude00'.repeat(1024);
    const body = Array.from({ length: 100 }, (_, i) => {
      return `{ "id" : ${2n ** 62n + BigInt(i)}, "name" : "${escaped}", "categoryId" : -${2n ** 63n} }`;
    });
    const { catalogue } = await startScripted({ body: `[ ${body.join(' ,\n')} ]` });
    const { pets } = await catalogue().list({ limit: 100 });
    expect(pets).to.have.length(100);
    expect(pets[99]).to.deep.equal({ id: 2n ** 62n + 99n, name: '😀'.repeat(1024), categoryId: -(2n ** 63n) });
  });
});

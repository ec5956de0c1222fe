import { expect } from 'chai';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { RemoteStoreError } from '../../../src/adapters/remote/remote-store-error.js';
import type { PetQuery } from '../../../src/domain/pet-catalogue.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted, type Script } from './scripted-service.js';
import { KEY } from './serve-catalogue.js';

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
    '{"id":1e400,"name":"Rex","categoryId":7}',
    '{"id":0,"name":"Rex","categoryId":7}',
    '{"id":-1,"name":"Rex","categoryId":7}',
    '{"id":null,"name":"Rex","categoryId":7}',
    '{"__proto__":{"id":1,"name":"Rex","categoryId":7}}',
  ],
  // The other rules are those of the domain.
  '% breaks a rule: name': ['{"id":1,"name":"","categoryId":7}'],
  '% breaks a rule: categoryId': ['{"id":1,"name":"Rex","categoryId":0.5}'],
  '% breaks a rule: status': ['{"id":1,"name":"Rex","categoryId":7,"status":null}'],
};

const NO_JSON = 'its body is not well-formed JSON: the error is at position';
const TOO_LARGE = 'its body is larger than 2097152 bytes';
const NO_UTF8 = 'its body is not valid UTF-8';

/** Bodies that are not an answer at all, and the reason in the error. */
const NO_ANSWERS: Readonly<Record<string, readonly [body: string | Uint8Array, reason: string]>> = {
  nothing: ['', NO_JSON],
  HTML: ['<!doctype html><title>Sign in</title>', `${NO_JSON} 1`],
  'half of a text': ['[{"id":1,', NO_JSON],
  'two texts': ['[][]', `${NO_JSON} 3`],
  'no UTF-8': [new Uint8Array([0x22, 0xff, 0x22]), NO_UTF8],
  'half of a character': [new Uint8Array([0x22, 0xf0, 0x9f]), NO_UTF8],
  'an animal whose name is not UTF-8': [Buffer.from('[{"id":1,"name":"R\xffx","categoryId":7}]', 'latin1'), NO_UTF8],
  'a byte order mark': ['\ufeff[]', `${NO_JSON} 1`],
  'UTF-16': [Buffer.from('[]', 'utf16le'), `${NO_JSON} 2`],
  '3 MB of white space': [' '.repeat(3 * MB), TOO_LARGE],
  '2 MB and a byte': [' '.repeat(2 * MB + 1), TOO_LARGE],
  '2 MB of brackets': ['['.repeat(2 * MB), 'its body is nested more than 100 levels deep'],
  '3 MB of an animal': [`[{"id":1,"name":"${'x'.repeat(3 * MB)}","categoryId":7}]`, TOO_LARGE],
};

function pet(id: number, status = ''): string {
  return `{"id":${id},"name":"Rex","categoryId":7${status && `,"status":"${status}"`}}`;
}

const NOT_IN_ORDER = 'the id of animal 1 is not in order';
const NO_FOLLOWER = 'the link to the next page does not follow the last animal';
const NO_AFTER = 'the parameter after of the link to the next page is not an int64';

/** Pages that do not match their query for two animals and the given rest, and the reason in the error. */
const WRONG_PAGES: Readonly<Record<string, readonly [body: string, reason: string, query?: Partial<PetQuery>]>> = {
  'an object': ['{}', 'its body is not an array'],
  '2 MB of digits': ['1'.repeat(2 * MB), 'its body is not an array'],
  'too many animals': [`[${pet(1)},${pet(2)},${pet(3)}]`, 'it has more animals than requested: 3'],
  'animals in no order': [`[${pet(2)},${pet(1)}]`, 'the id of animal 2 is not in order'],
  'an animal twice': [`[${pet(1)},${pet(1)}]`, 'the id of animal 2 is not in order'],
  'an animal that is not after': [`[${pet(7)}]`, NOT_IN_ORDER, { after: 7n }],
  'another status': [`[${pet(1, 'sold')},${pet(2, 'pending')}]`, 'animal 2 has another status', { status: 'sold' }],
  'no status': [`[${pet(1)}]`, 'animal 1 has another status', { status: 'sold' }],
};

/** Pages with a wrong link to the next one, and the reason in the error. */
const WRONG_LINKS: Readonly<Record<string, readonly [body: string, link: string, reason: string]>> = {
  'after nothing': ['[]', '?after=1', NO_FOLLOWER],
  'that goes back': [`[${pet(2)}]`, '?after=1', NO_FOLLOWER],
  'that leaves animals out': [`[${pet(2)}]`, '?after=3', NO_FOLLOWER],
  'after no int64': [`[${pet(2)}]`, '?after=9223372036854775808', NO_AFTER],
  'without after': [`[${pet(2)}]`, '', NO_AFTER],
};

describe('an answer of a remote store that breaks the interface', function () {
  this.timeout(180_000);

  async function catalogueOn(script: Script, deadlineMs?: number): Promise<RemotePetCatalogue> {
    return (await startScripted(script)).catalogue({ deadlineMs });
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
    for (const text of texts) {
      it(`is refused as an animal: ${text.slice(0, 80)}`, async () => {
        const created = await catalogueOn({ status: 201, body: text });
        await expectRefused(created.add(REX), 201, reason.replace('%', 'the animal'));
        const listed = await catalogueOn({ body: `[${pet(1)},${text}]` });
        await expectRefused(listed.list({ limit: 2 }), 200, reason.replace('%', 'animal 2'));
      });
    }
  }

  for (const [what, [body, reason]] of Object.entries(NO_ANSWERS)) {
    it(`is refused as a list and as a creation: ${what}`, async () => {
      await expectRefused((await catalogueOn({ body })).list({ limit: 100 }), 200, reason);
      await expectRefused((await catalogueOn({ status: 201, body })).add(REX), 201, reason);
    });
  }

  for (const [what, [body, reason, query]] of Object.entries(WRONG_PAGES)) {
    it(`is refused as a page: ${what}`, async () => {
      await expectRefused((await catalogueOn({ body })).list({ limit: 2, ...query }), 200, reason);
    });
  }

  for (const [what, [body, link, reason]] of Object.entries(WRONG_LINKS)) {
    it(`is refused as a page: a next page ${what}`, async () => {
      const catalogue = await catalogueOn({ body, headers: { Link: `</v1/pets${link}>; rel="next"` } });
      await expectRefused(catalogue.list({ limit: 2 }), 200, reason);
    });
  }

  it('is refused as the creation of another animal', async () => {
    for (const body of [
      '{"id":1,"name":"Tom","categoryId":7}',
      '{"id":1,"name":"Rex","categoryId":8}',
      '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}',
    ]) {
      const catalogue = await catalogueOn({ status: 201, body });
      await expectRefused(catalogue.add(REX), 201, 'the animal is not the one that was sent');
    }
  });

  for (const status of [200, 202, 204]) {
    it(`is refused as a creation by its status: ${status}`, async () => {
      const script = { status, body: status === 204 ? '' : pet(1) };
      const message = `the remote store answered ${status}`;
      expect(await rejectionOf((await catalogueOn(script)).add(REX))).to.include({ name: 'RemoteStoreError', message });
    });
  }

  it('ends with the deadline if it arrives byte by byte, without end', async () => {
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
    await expectRefused(catalogue.list({ limit: 1 }), 200, TOO_LARGE);
    expect(process.memoryUsage().rss - before).to.be.lessThan(150 * MB);
  });

  it('is accepted if its characters come in pieces', async () => {
    const bytes = Buffer.from('[{"id":1,"name":"😀","categoryId":7}]');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const fetch = async (): Promise<Response> => new Response(body);
    const { pets } = await new RemotePetCatalogue({ ...PATIENT, url: 'http://e/v1', apiKey: KEY, fetch }).list({
      limit: 1,
    });
    expect(pets[0]?.name).to.equal('😀');
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

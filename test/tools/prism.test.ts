import { expect } from 'chai';
import fc from 'fast-check';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import { freePort } from '../deploy/proxies.js';
import { anyText } from '../support/any-text.js';
import { Child } from '../support/child.js';
import { installPackages } from '../support/install-packages.js';
import { KEY, npmProgram, readDocument, startService, TOOLS } from './tools.js';

interface Request {
  readonly path: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const REX = '{"name":"Rex","categoryId":7,"status":"available"}';
const BJORK = '{"name":"Björk 🐟","categoryId":-7}';

/** Requests that match the document, for the proxy and the mock. */
const VALID: Readonly<Record<string, Request>> = {
  listPets: { path: '/pets' },
  'listPets with every parameter': { path: '/pets?limit=1&status=available&after=0' },
  'listPets with a parameter of others': { path: '/pets?colour=brown' },
  createPet: { path: '/pets', body: REX },
  'createPet without a status': { path: '/pets', body: BJORK },
  'createPet with other members': {
    path: '/pets',
    body: '{"name":" a\\u3000","categoryId":0,"colour":"brown","id":5}',
  },
  'createPet with an Idempotency-Key': { path: '/pets', body: REX, headers: { 'Idempotency-Key': 'one' } },
  'createPet, replayed': { path: '/pets', body: REX, headers: { 'Idempotency-Key': '"one"' } },
  'createPet with a key of another animal': { path: '/pets', body: BJORK, headers: { 'Idempotency-Key': 'one' } },
  getPet: { path: '/pets/1' },
  'getPet of no animal': { path: '/pets/99' },
};

/** Requests that break the document's rules, by which Prism and the service must agree. */
const INVALID: Readonly<Record<string, Request>> = {
  'no key': { path: '/pets', key: null },
  'a limit out of range': { path: '/pets?limit=0' },
  'an unknown status': { path: '/pets?status=gone' },
  'an after that is not an integer': { path: '/pets?after=one' },
  'a malformed Idempotency-Key': { path: '/pets', body: REX, headers: { 'Idempotency-Key': 'a b' } },
  'a name of white space': { path: '/pets', body: '{"name":" \\t","categoryId":7}' },
  'an empty name': { path: '/pets', body: '{"name":"","categoryId":7}' },
  'a name that is too long': { path: '/pets', body: JSON.stringify({ name: 'x'.repeat(1025), categoryId: 7 }) },
  'a category that is a string': { path: '/pets', body: '{"name":"Rex","categoryId":"7"}' },
  'an unknown status of an animal': { path: '/pets', body: '{"name":"Rex","categoryId":7,"status":"gone"}' },
  'a body that is too large': { path: '/pets', body: JSON.stringify({ name: 'x'.repeat(100_000), categoryId: 7 }) },
  'no name': { path: '/pets', body: '{"categoryId":7}' },
  'another type of body': { path: '/pets', body: REX, headers: { 'Content-Type': 'text/plain' } },
};

/** Any animal whose category Prism does not take for too large. */
const anyPet = fc.record(
  {
    name: anyText({ minLength: 1, maxLength: 40 }).filter(
      (name) => /\P{White_Space}/u.test(name) && !name.includes('\0'),
    ),
    categoryId: fc.maxSafeInteger(),
    status: fc.constantFrom(...PET_STATUSES),
  },
  { requiredKeys: ['name', 'categoryId'] },
);

describe('Prism', () => {
  let document: string;

  before(async function () {
    this.timeout(300_000);
    await installPackages(TOOLS);
    document = (await readDocument()).file;
  });

  /** Starts Prism with these arguments, and resolves to its URL. It ends with the test. */
  async function start(...args: readonly string[]): Promise<string> {
    const port = String(await freePort());
    const prism = Child.start(npmProgram('prism'), [...args, '--host', '127.0.0.1', '--port', port]);
    return prism.find(() => (prism.stdout.includes('Prism is listening') ? `http://127.0.0.1:${port}` : undefined));
  }

  async function send(url: string, { path, key = KEY, headers = {}, body }: Request): Promise<Response> {
    return fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  describe('as a mock of the OpenAPI document', () => {
    let mock: string;
    let service: string;

    before(async () => {
      mock = await start('mock', document);
      service = (await startService()).url;
      // The animals of the examples.
      for (const body of [REX, BJORK]) expect((await send(service, { path: '/pets', body })).status).to.equal(201);
    });

    /** Expects the mock to answer a request as the service answers it, or another one. */
    async function expectSame(toMock: Request, toService = toMock): Promise<void> {
      const [mocked, answered] = [await send(mock, toMock), await send(service, toService)];
      expect(mocked.status).to.equal(answered.status);
      expect(await mocked.json()).to.deep.equal(await answered.json());
    }

    for (const [title, request] of [
      ['listPets', VALID['listPets']],
      ['getPet', VALID['getPet']],
      ['a request without a key', INVALID['no key']],
      ['a limit out of range', INVALID['a limit out of range']],
      ['another type of body', INVALID['another type of body']],
    ] as const) {
      it(`answers as the service does: ${title}`, async () => expectSame(request as Request));
    }

    it('answers as the service does: createPet', async () => {
      const answer = await send(mock, { path: '/pets', body: REX });
      expect(answer.status).to.equal(201);
      expect(await answer.json()).to.deep.equal({ id: 1, ...(JSON.parse(REX) as object) });
    });

    const asking = (code: number): Pick<Request, 'headers'> => ({ headers: { Prefer: `code=${code}` } });

    it('answers as the service does: getPet of no animal, if it is asked for a 404', async () =>
      expectSame({ path: '/pets/99', ...asking(404) }));

    // By itself, Prism takes the 422 for any body that breaks a rule, because the operation has one.
    it('answers as the service does: a body that breaks rules, if it is asked for a 400', async () =>
      expectSame({ path: '/pets', body: REX, ...asking(400) }, { path: '/pets', body: '{"name":""}' }));
  });

  describe('as a proxy in front of the service', () => {
    let proxy: string;
    let service: string;

    before(async () => {
      service = (await startService()).url;
      proxy = await start('proxy', document, service);
    });

    /** The violations of the document that Prism sees in a request or its answer, which each location begins with. */
    async function violationsOf(answer: Response) {
      if (!answer.bodyUsed) await answer.arrayBuffer();
      return JSON.parse(answer.headers.get('sl-violations') ?? '[]') as readonly {
        readonly code: string;
        readonly location: readonly string[];
      }[];
    }

    for (const [title, request] of Object.entries(VALID)) {
      it(`finds nothing wrong: ${title}`, async () => {
        expect(await violationsOf(await send(proxy, request))).to.deep.equal([]);
      });
    }

    it('finds nothing wrong with any animal, nor with any page', async () => {
      const limit = fc.integer({ min: 1, max: 100 });
      await fc.assert(
        fc.asyncProperty(anyPet, limit, fc.maxSafeInteger(), async (pet, first, after) => {
          const created = await send(proxy, { path: '/pets', body: JSON.stringify(pet) });
          expect(created.status).to.equal(201);
          expect(await violationsOf(created)).to.deep.equal([]);
          const listed = await send(proxy, { path: `/pets?limit=${first}&after=${after}` });
          expect(listed.status).to.equal(200);
          expect(await violationsOf(listed)).to.deep.equal([]);
        }),
        { numRuns: 50 },
      );
    });

    for (const [title, request] of Object.entries(INVALID)) {
      it(`finds only the request wrong, as the service does: ${title}`, async () => {
        const answer = await send(proxy, request);
        expect(answer.status).to.be.within(400, 499);
        const locations = (await violationsOf(answer)).map(({ location }) => location[0]);
        expect(locations).to.not.deep.equal([]);
        expect(locations).to.not.include('response');
      });
    }

    // Prism reads numbers by JSON.parse, so it allows none that this may round.
    it('finds only int64 beyond 2^53 wrong, in the request and in the answer', async () => {
      const answer = await send(proxy, { path: '/pets', body: '{"name":"Rex","categoryId":9007199254740993}' });
      expect(answer.status).to.equal(201);
      expect(await violationsOf(answer)).to.have.lengthOf(2);
      for (const { code, location } of await violationsOf(answer)) {
        expect(code).to.equal('maximum');
        expect(location.slice(1)).to.deep.equal(['body', 'categoryId']);
      }
    });
  });
});

import { expect } from 'chai';
import { freePort } from '../deploy/proxies.js';
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

/** Requests to which Prism and the service give the same answer; the second one, if there is one, is for the service. */
const REQUESTS: Readonly<Record<string, readonly [toMock: Request, toService?: Request]>> = {
  listPets: [{ path: '/pets' }],
  getPet: [{ path: '/pets/1' }],
  'a request without a key': [{ path: '/pets', key: null }],
  'a limit out of range': [{ path: '/pets?limit=0' }],
  'another type of body': [{ path: '/pets', body: REX, headers: { 'Content-Type': 'text/plain' } }],
  'getPet of no animal, if it is asked for a 404': [{ path: '/pets/99', headers: { Prefer: 'code=404' } }],
  // By itself, Prism takes the 422 for any body that breaks a rule, because the operation has one.
  'a body that breaks rules, if it is asked for a 400': [
    { path: '/pets', body: REX, headers: { Prefer: 'code=400' } },
    { path: '/pets', body: '{"name":""}' },
  ],
};

describe('Prism, as a mock of the OpenAPI document', () => {
  let mock: string;
  let service: string;

  before(async () => {
    await installPackages(TOOLS);
    const port = String(await freePort());
    mock = `http://127.0.0.1:${port}`;
    const args = ['mock', (await readDocument()).file, '--host', '127.0.0.1', '--port', port];
    const prism = Child.start(npmProgram('prism'), args);
    await prism.find(() => (prism.stdout.includes('Prism is listening') ? true : undefined));
    service = (await startService()).url;
    // The animals of the examples.
    for (const body of [REX, BJORK]) expect((await send(service, { path: '/pets', body })).status).to.equal(201);
  });

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

  for (const [title, [toMock, toService = toMock]] of Object.entries(REQUESTS)) {
    it(`answers as the service does: ${title}`, async () => {
      const [mocked, answered] = [await send(mock, toMock), await send(service, toService)];
      expect(mocked.status).to.equal(answered.status);
      expect(await mocked.json()).to.deep.equal(await answered.json());
    });
  }

  it('answers as the service does: createPet', async () => {
    const answer = await send(mock, { path: '/pets', body: REX });
    expect(answer.status).to.equal(201);
    expect(await answer.json()).to.deep.equal({ id: 1, ...(JSON.parse(REX) as object) });
  });
});

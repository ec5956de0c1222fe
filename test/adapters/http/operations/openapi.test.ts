import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { createServer } from 'node:http';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { send } from '../../../support/request.js';

const KEY = 'a-key-of-sixteen.';

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly responses: Record<string, Response | undefined>;
}

interface Response {
  readonly headers?: Record<string, unknown>;
  readonly content: { 'application/json': { schema: { $ref: string } } };
}

describe('the OpenAPI document', () => {
  let url: string;
  let document: Document;
  const ajv = new Ajv2020({ strict: false, formats: { int32: true } });

  before(async () => {
    formats.default(ajv);
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const app = createApp({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]) });
    url = `http://127.0.0.1:${await listenOnFreePort(createServer(app.callback()))}`;
    document = (await send(`${url}/openapi.json`)).json as Document;
    ajv.addSchema(document, 'openapi');
  });

  const requests = [
    { operation: '/pets post', status: 201, path: '/pets', body: '{"name":"Rex","categoryId":7,"status":"sold"}' },
    { operation: '/pets post', status: 400, path: '/pets', body: '{"name":""}' },
    { operation: '/pets post', status: 413, path: '/pets', body: ' '.repeat(70_000) },
    { operation: '/pets post', status: 415, path: '/pets', body: '{}', type: 'text/plain' },
    { operation: '/pets get', status: 200, path: '/pets' },
    { operation: '/pets get', status: 400, path: '/pets?limit=0' },
    { operation: '/pets get', status: 401, path: '/pets', key: 'wrong' },
    { operation: '/pets/{petId} get', status: 200, path: '/pets/1' },
    { operation: '/pets/{petId} get', status: 404, path: '/pets/2' },
  ];

  for (const { operation, status, path, body, key = KEY, type } of requests) {
    it(`describes the ${status} of ${operation} as it is`, async () => {
      const [route = '', method = ''] = operation.split(' ');
      const answer = await send(`${url}/v1${path}`, {
        key,
        ...(body !== undefined && { body }),
        ...(type !== undefined && { contentType: type }),
      });
      expect(answer.status).to.equal(status);
      const described = document.paths[route]?.[method]?.responses[String(status)];
      const schema = described?.content['application/json'].schema.$ref ?? '#/missing';
      const validate = ajv.compile({ $ref: `openapi${schema}` });
      expect(validate(answer.json), JSON.stringify(validate.errors)).to.equal(true);
    });
  }

  for (const [status, header] of [
    [401, 'WWW-Authenticate'],
    [429, 'Retry-After'],
    [503, 'Retry-After'],
  ] as const) {
    it(`describes ${header} with the ${status} of every operation`, () => {
      const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
      expect(operations).to.have.lengthOf(3);
      for (const { responses } of operations) expect(responses[status]?.headers).to.have.all.keys(header);
    });
  }

  it('describes Idempotency-Key and its answers with createPet alone', async () => {
    const { post, get } = document.paths['/pets'] ?? {};
    expect(get?.parameters?.map(({ name }) => name)).not.to.include('Idempotency-Key');
    expect(post?.parameters).to.have.lengthOf(1);
    expect(post?.parameters?.[0]).to.deep.include({ name: 'Idempotency-Key', in: 'header', required: false });
    expect(post?.responses[201]?.headers).to.have.all.keys('Location', 'Idempotency-Replayed');
    expect(post?.responses).to.include.all.keys('400', '422');
    expect(get?.responses).not.to.have.any.keys('422');
  });
});

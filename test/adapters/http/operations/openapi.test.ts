import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { ERROR_STATUS, type ErrorCode } from '../../../../src/adapters/http/pipeline/errors.js';
import type { OperationDescription } from '../../../../src/adapters/http/operations/description.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import {
  fetchInMemory,
  inMemory,
  REX,
  SILENT,
  type InMemoryOptions,
  type Sent,
} from '../../../support/in-memory-interface.js';
import { getBytes, listen, open } from '../server/serving.js';

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly headers: Readonly<Record<string, HeaderObject>> };
}

interface Operation extends OperationDescription {
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderObject | { readonly $ref: string }>>;
  readonly content: Content;
}

interface Content {
  readonly 'application/json': {
    readonly schema: { readonly $ref: string };
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface HeaderObject {
  readonly required: boolean;
  readonly schema: object;
  readonly example: unknown;
}

/** The header fields of every response of HTTP, which the document does not describe. */
const GENERAL_FIELDS =
  'cache-control connection content-length content-type date keep-alive x-content-type-options'.split(' ');
const ONCE = { 'idempotency-key': '7b0f3f5e-5f0e-4c2a-9a51-0d6c3f1f8f5b' };

/** What asks an interface on a store whose reads end like this. */
function onReads(read: () => Promise<never>, options?: InMemoryOptions): ReturnType<typeof fetchInMemory> {
  const catalogue = Object.assign(new InMemoryPetCatalogue(), { list: read, find: read });
  return fetchInMemory({ catalogue, log: SILENT, ...options });
}

/** The response to the second of two lists, while the first one waits for the store. */
async function overloaded(): Promise<Response> {
  const silent = onReads(async () => new Promise(() => undefined), { maxInFlight: 1 });
  void silent('/v1/pets');
  return silent('/v1/pets');
}

/** The response of our server to bytes that it refuses. */
async function refused(bytes: string): Promise<Response> {
  const connection = await open(await listen(() => undefined));
  const { status, headers, body } = await connection.askLast(bytes);
  return new Response(body.toString(), { status, headers: headers.map(([name, value]) => [name, value]) });
}

const ask = fetchInMemory();
const unavailable = onReads(async () => Promise.reject(new AnimalStoreError('store_unavailable', 'slow')));
const broken = onReads(async () => Promise.reject(new Error('broken')));
const limited = fetchInMemory({ rateLimiter: { consume: async () => 500 } });

async function create(body: string, headers: Sent['headers'] = {}): Promise<Response> {
  return ask('/v1/pets', { body, headers });
}

async function createTwice(): Promise<Response> {
  await create(REX, ONCE);
  return create('{"name":"Tom","categoryId":7}', ONCE);
}

/** A request for each error of each operation that the document has an example of. */
const ERRORS: readonly (readonly [operation: string, ErrorCode, () => Promise<Response>])[] = [
  ['listPets', 'invalid_parameter', async () => ask('/v1/pets?limit=0')],
  ['listPets', 'unauthorized', async () => ask('/v1/pets', { key: null })],
  ['listPets', 'too_many_requests', async () => limited('/v1/pets')],
  ['listPets', 'overloaded', overloaded],
  ['listPets', 'internal_error', async () => broken('/v1/pets')],
  ['listPets', 'store_unavailable', async () => unavailable('/v1/pets')],
  ['listPets', 'headers_too_large', async () => refused(getBytes('/v1/pets', `X-Long: ${'x'.repeat(17_000)}`))],
  ['createPet', 'invalid_body', async () => create('{"name":" "}')],
  ['createPet', 'invalid_parameter', async () => create(REX, { 'idempotency-key': '' })],
  ['createPet', 'body_too_large', async () => create(' '.repeat(70_000))],
  ['createPet', 'unsupported_media_type', async () => create(REX, { 'content-type': 'text/plain' })],
  ['createPet', 'idempotency_key_reused', createTwice],
  ['getPet', 'pet_not_found', async () => ask('/v1/pets/99')],
  ['getPet', 'route_not_found', async () => ask('/v1/pets/')],
  ['getPet', 'method_not_allowed', async () => ask('/v1/pets/1', { method: 'PUT' })],
];

describe('the OpenAPI document', () => {
  let document: Document;
  let ajv: Ajv2020;

  before(async () => {
    ajv = new Ajv2020({ strict: false, formats: { int32: true } });
    formats.default(ajv);
    document = (await (await ask('/openapi.json')).json()) as Document;
    ajv.addSchema(document, 'openapi');
  });

  it('describes each route under the base path, and no other', () => {
    const { routes } = createHttpInterface(inMemory());
    const served = routes.filter(({ path }) => path.startsWith('/v1/'));
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} /v1${path}`),
    );
    const names = served.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`);
    expect(described).to.have.members(names);
  });

  const operations = (): readonly Operation[] => Object.values(document.paths).flatMap((item) => Object.values(item));

  function operationOf(id: string): Operation {
    const operation = operations().find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`${id} is not described`);
    return operation;
  }

  function validate(schema: object, value: unknown, title: string): void {
    const isValid = ajv.compile(schema);
    expect(isValid(value), `${title}: ${JSON.stringify(isValid.errors)}`).to.equal(true);
  }

  const schemaOf = ({ 'application/json': { schema } }: Content): object => ({ $ref: `openapi${schema.$ref}` });

  /** The Header Object, which may be in the components. */
  function headerObject(header: HeaderObject | { readonly $ref: string }): HeaderObject {
    if (!('$ref' in header)) return header;
    const object = document.components.headers[header.$ref.replace('#/components/headers/', '')];
    if (object === undefined) throw new Error(`${header.$ref} is not there`);
    return object;
  }

  /** Checks the status, the header fields and the body of a response by the description of its operation. Returns the body. */
  async function expectDescribed(id: string, received: Response): Promise<unknown> {
    const response = operationOf(id).responses[received.status];
    if (response === undefined) throw new Error(`the ${received.status} of ${id} is not described`);
    const body: unknown = await received.json();
    validate(schemaOf(response.content), body, `${id} ${received.status}`);
    const described = Object.entries(response.headers);
    const sent = [...received.headers.keys()].filter((name) => !GENERAL_FIELDS.includes(name));
    const required = described.filter(([, header]) => headerObject(header).required);
    expect(described.map(([name]) => name.toLowerCase())).to.include.members(sent);
    expect(sent).to.include.members(required.map(([name]) => name.toLowerCase()));
    return body;
  }

  it('has examples of each body and header field, which match their schemas', () => {
    for (const { operationId, requestBody, responses } of operations()) {
      const described = Object.values(responses);
      const contents = [...described.map(({ content }) => content), ...(requestBody ? [requestBody.content] : [])];
      for (const content of contents) {
        const examples = Object.values(content['application/json'].examples);
        expect(examples, operationId).not.to.deep.equal([]);
        for (const { value } of examples) validate(schemaOf(content), value, operationId);
      }
      for (const header of described.flatMap(({ headers }) => Object.values(headers))) {
        const { schema, example } = headerObject(header);
        validate(schema, example, operationId);
      }
    }
  });

  it('has an example of an error for each code, under its status', () => {
    const codes = new Set<string>();
    for (const [status, { content }] of operations().flatMap(({ responses }) => Object.entries(responses))) {
      if (Number(status) < 400) continue;
      for (const [name, { value }] of Object.entries(content['application/json'].examples)) {
        expect(value).to.include({ code: name, status: Number(status) });
        expect(ERROR_STATUS[name as ErrorCode]).to.equal(Number(status));
        codes.add(name);
      }
    }
    const place = 'an error goes into the responses of an operation in src/adapters/http/operations';
    expect([...codes], place).to.have.members(Object.keys(ERROR_STATUS));
  });

  for (const [id, code, answered] of ERRORS) {
    it(`has the error that the service answers as its example: ${code} of ${id}`, async () => {
      const { content } = operationOf(id).responses[ERROR_STATUS[code]] as ResponseObject;
      const expected = content['application/json'].examples[code]?.value;
      expect(await expectDescribed(id, await answered())).to.deep.equal(expected);
    });
  }

  it('has examples of animals as the service answers, and describes their header fields', async () => {
    const own = fetchInMemory();
    const { requestBody, responses } = operationOf('createPet');
    const created = Object.entries((responses[201] as ResponseObject).content['application/json'].examples);
    for (const [name, { value }] of created) {
      const body = JSON.stringify(requestBody?.content['application/json'].examples[name]?.value);
      const response = await own('/v1/pets', { body });
      expect(await expectDescribed('createPet', response)).to.deep.equal(value);
      const got = await own(response.headers.get('Location') ?? '');
      expect(await expectDescribed('getPet', got)).to.deep.equal(value);
    }
    await own('/v1/pets', { body: REX, headers: ONCE });
    await expectDescribed('createPet', await own('/v1/pets', { body: REX, headers: ONCE }));
    const { examples } = (operationOf('listPets').responses[200] as ResponseObject).content['application/json'];
    const listed = await expectDescribed('listPets', await own('/v1/pets?limit=2'));
    expect(listed).to.deep.equal(examples['page']?.value);
  });

  it('is an OpenAPI 3.1 document of the version 1.0.0 of the interface', () => {
    expect([document.openapi, document.info.version]).to.deep.equal(['3.1.0', '1.0.0']);
  });

  it('marks only getPet as deprecated, and names the day of its removal that its responses name', async () => {
    expect(operations().filter(({ deprecated }) => deprecated)).to.deep.equal([operationOf('getPet')]);
    const sunset = (await ask('/v1/pets/1')).headers.get('Sunset') ?? '';
    expect(new Date(sunset).toISOString()).to.equal(`${operationOf('getPet')['x-sunset']}T00:00:00.000Z`);
  });

  it('leaves the set of codes open, and lists those that are known', () => {
    const error = { code: 'not_known_yet', message: 'new', status: 400 };
    validate({ $ref: 'openapi#/components/schemas/Error' }, error, 'an unknown code');
    const known = ajv.getSchema('openapi#/components/schemas/Error/properties/code')?.schema;
    expect(known).to.have.property('x-extensible-enum').that.deep.equals(Object.keys(ERROR_STATUS));
  });

  it('says which parameters and bodies a request must have', () => {
    const required = operations().flatMap(({ parameters = [] }) => parameters.filter((each) => each.required));
    expect(required.map(({ name }) => name)).to.deep.equal(['petId']);
    expect(operationOf('createPet').requestBody?.required).to.equal(true);
  });

  it('describes everything that it names', () => {
    JSON.stringify(document, (name, value: unknown) => {
      if (name === 'description' || name === 'summary' || name === 'title') expect(value).to.match(/\S/);
      return value;
    });
  });

  // Tools would send the same example for everyone, but each creation needs its own key.
  it('has no example of an Idempotency-Key', () => {
    const [parameter] = operationOf('createPet').parameters ?? [];
    expect(parameter).to.have.all.keys('name', 'in', 'required', 'schema', 'description');
    expect(parameter?.schema).to.have.all.keys('type', 'pattern');
  });

  // Generators write texts into regular expressions, strings and comments of many languages, and not all of them escape.
  it('has no text that breaks the code of generators', () => {
    const patterns: string[] = [];
    const visit = (value: unknown, name: string): void => {
      if (typeof value === 'object' && value !== null) {
        for (const [member, inner] of Object.entries(value)) visit(inner, member);
      } else if (name === 'pattern') patterns.push(String(value));
      else expect(value).not.to.match(/[\\\p{Cc}\u2028\u2029\ufeff]|\*\/|\/\*|<!--|-->|\?>|"""|'''|[$#{]\{/u);
    };
    // Line feeds separate the paragraphs of descriptions.
    visit(JSON.parse(JSON.stringify(document).replaceAll('\\n', ' ')), '');
    expect(patterns).to.have.lengthOf(3);
    // Visible ASCII that needs no escape between slashes or quotation marks.
    for (const pattern of patterns) {
      expect(pattern).to.match(/^[!#-&(-.0-_a-~]+$/);
      for (const flags of ['', 'u', 'v']) expect(() => new RegExp(pattern, flags), pattern).not.to.throw();
    }
  });
});

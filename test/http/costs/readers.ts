import type { IncomingMessage } from 'node:http';
import { fetchRequest } from '../../../src/adapters/http/fetch/fetch-request.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import type { HttpRequest } from '../../../src/adapters/http/request.js';
import { requestError } from '../../../src/adapters/http/server/refusal-errors.js';
import { mountPathOf, parseTarget } from '../../../src/adapters/http/target.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import { digestOf } from '../../../src/adapters/sqlite/digest.js';
import { isApiKeyText } from '../../../src/domain/api-keys/api-key-text.js';

/** Something that reads a text of a client. */
export interface Reader {
  /** What the text is. */
  readonly text: string;
  /** The declarations that it runs, as `readingsInSources` gives them. */
  readonly readings: readonly string[];
  /** The greatest length of the text. */
  readonly largest: number;
  /** Beginnings, pieces to repeat and ends that a text of this kind may have, beside those that every text gets. */
  readonly begins: readonly string[];
  readonly pieces: readonly Piece[];
  readonly ends: readonly string[];
  readonly read: (text: string) => unknown;
}

/** What is repeated: a text, or the text for each repetition. */
export type Piece = string | ((i: number) => string);

/** The greatest header section that the server takes. Other servers take less. */
const HEADER = 16_384;
/** Twice the default limit of a body. */
const BODY = 2 * 65_536;

const KEY = 'a-key-of-sixteen.';
const NEW_PET = '{"name":"Rex","categoryId":7}';

const catalogue = new InMemoryPetCatalogue();
const { answer } = createHttpInterface({
  store: createAnimalStore({ catalogue }),
  apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
  bodyLimit: 2 * BODY,
  corsOrigins: ['https://shop.example'],
  log: { warn: () => undefined, error: () => undefined },
});

const AUTHORIZATION = ['Authorization', `Bearer ${KEY}`];
const JSON_TYPE = ['Content-Type', 'application/json'];

/** The answer of the interface to a request. */
async function ask(request: Partial<HttpRequest>, body = ''): Promise<unknown> {
  return answer({
    method: 'GET',
    path: '/v1/pets',
    query: '',
    rawHeaders: AUTHORIZATION,
    mountPath: '',
    readBody: async () => Buffer.from(body),
    ...request,
  });
}

/** Reads the value of a header field of a creation that is refused for its body, so that the catalogue stays as it is. */
function field(name: string): Reader['read'] {
  const others = [...AUTHORIZATION, ...JSON_TYPE].filter((_, i, fields) => fields[i - (i % 2)] !== name);
  return async (value) => ask({ method: 'POST', rawHeaders: [...others, name, value] }, '{}');
}

/** Every reader of the sources. */
export const READERS: readonly Reader[] = [
  {
    text: 'the target of a request',
    readings: [
      'src/adapters/http/target.ts SCHEME_AND_AUTHORITY',
      'src/adapters/http/target.ts isUnder',
      'src/adapters/http/target.ts parseTarget',
    ],
    largest: HEADER,
    begins: ['http://', 'http://e/', '/', '/?'],
    pieces: ['http://', '//', '/a'],
    ends: ['?', '#', '/'],
    read: (text) => [parseTarget(text), mountPathOf(text, '/v1/pets')],
  },
  {
    text: 'the path of a request',
    readings: ['src/adapters/http/route-index.ts RouteIndex', 'src/adapters/http/operations/get-pet.ts getPet'],
    largest: HEADER,
    begins: ['/', '/v1/', '/v1/pets/', '/docs'],
    pieces: ['/a', '/v1/pets', '%2F', '9'],
    ends: ['/', '/7'],
    read: async (path) => ask({ path }),
  },
  {
    text: 'the query of a list',
    readings: [
      'src/domain/int64.ts CANONICAL',
      'src/domain/int64.ts parseInt64',
      'src/adapters/http/operations/list-pets.ts PLAIN_DIGITS',
      'src/adapters/http/operations/list-pets.ts parseListQuery',
    ],
    largest: HEADER,
    begins: ['limit=', 'after=', 'after=-', 'status=', 'x='],
    pieces: ['limit=1&', 'after=1&', '%20', '%', '9', '+', (i) => `${i}=1&`],
    ends: ['&limit=1', 'x'],
    read: async (query) => ask({ query }),
  },
  {
    text: 'Authorization',
    readings: [
      'src/adapters/http/guards/authenticate.ts CREDENTIALS',
      'src/adapters/in-memory/in-memory-api-keys.ts sha256',
    ],
    largest: HEADER,
    begins: ['Bearer', 'Bearer ', 'Bearer ask_'],
    pieces: ['Bearer ', 'ask_'],
    ends: ['\n', 'x'],
    read: field('Authorization'),
  },
  {
    text: 'an API key',
    readings: [
      'src/domain/api-keys/api-key-text.ts FORM',
      'src/domain/api-keys/api-key-text.ts base62',
      'src/domain/api-keys/api-key-text.ts crc32',
      'src/domain/api-keys/api-key-text.ts isApiKeyText',
      'src/adapters/sqlite/digest.ts digestOf',
    ],
    largest: HEADER,
    begins: ['ask_', 'ask_0000000000000000000000000000000000000'],
    pieces: ['ask_'],
    ends: ['0'],
    read: (text) => [isApiKeyText(text), digestOf(text)],
  },
  {
    text: 'Content-Type',
    readings: [
      'src/adapters/http/json/media-type.ts CHARSET',
      'src/adapters/http/json/media-type.ts QUOTED_STRING',
      'src/adapters/http/json/media-type.ts charsetCount',
      'src/adapters/http/json/media-type.ts isUtf8Json',
    ],
    largest: HEADER,
    begins: ['application/json', 'application/json;', 'application/json;a="', 'application/json;charset=utf-8;a="'],
    pieces: ['; ', ' ;', ';a=b', ';a="b"', '\\"', '";a="', ';charset=utf-8', (i) => `;a${i}=b`],
    ends: ['"', ';charset=utf-8', '";charset=utf-8', '=', 'a="'],
    read: field('Content-Type'),
  },
  {
    text: 'Content-Encoding',
    readings: [],
    largest: HEADER,
    begins: ['identity', 'identity,'],
    pieces: ['identity,', ', '],
    ends: ['identity'],
    read: field('Content-Encoding'),
  },
  {
    text: 'Accept-Encoding',
    readings: [],
    largest: HEADER,
    begins: ['gzip', 'gzip;', 'gzip;q=', '*;q=0,'],
    pieces: ['gzip,', ', ', ' ,', ';q=0', ';q=', ' ;', 'br;q=0.5,', (i) => `x${i},`],
    ends: ['gzip', ';q=0', '='],
    read: async (value) => ask({ path: '/docs', rawHeaders: ['Accept-Encoding', value] }),
  },
  {
    text: 'If-None-Match',
    readings: [],
    largest: HEADER,
    begins: ['"', 'W/"', '*'],
    pieces: ['"a", ', 'W/', '","', ' ,', (i) => `"${i}", `],
    ends: ['"', '*'],
    read: async (value) => ask({ path: '/docs', rawHeaders: ['If-None-Match', value] }),
  },
  {
    text: 'Content-Length',
    readings: [],
    largest: HEADER,
    begins: ['0', '1e', '0x'],
    pieces: ['9', '_', '.'],
    ends: ['9'],
    read: field('Content-Length'),
  },
  {
    text: 'Idempotency-Key',
    readings: [
      'src/domain/idempotency-key.ts isIdempotencyKey',
      'src/adapters/http/idempotency-key.ts KEY',
      'src/adapters/http/idempotency-key.ts idempotencyKeyOf',
    ],
    largest: HEADER,
    begins: ['"', '"\\'],
    pieces: ['\\"', '\\\\', '!'],
    ends: ['"', '\\"'],
    read: field('Idempotency-Key'),
  },
  {
    text: 'If-Match',
    readings: ['src/adapters/http/static-file.ts isMatchFailed'],
    largest: HEADER,
    begins: ['W/"a"'],
    pieces: [',', '"a",', 'W/"a", ', '*,'],
    ends: ['*'],
    read: (tags) => ask({ path: '/openapi.json', rawHeaders: ['If-Match', tags] }),
  },
  {
    text: 'X-Request-Id',
    readings: ['src/adapters/http/request.ts REQUEST_ID'],
    largest: HEADER,
    begins: ['a'],
    pieces: ['.', '-'],
    ends: ['!'],
    read: field('X-Request-Id'),
  },
  {
    text: 'Origin',
    readings: [],
    largest: HEADER,
    begins: ['https://', 'https://shop.example'],
    pieces: ['.', ':'],
    ends: ['/'],
    read: field('Origin'),
  },
  {
    text: 'Host',
    readings: ['src/adapters/http/server/refusal-errors.ts HOST'],
    largest: HEADER,
    begins: ['[', 'a:'],
    pieces: ['.', ':', '%41'],
    ends: ['@', ']'],
    read: (host) =>
      requestError({ httpVersion: '1.1', rawHeaders: ['Host', host], headers: { host } } as IncomingMessage),
  },
  {
    text: 'the names of header fields',
    readings: [],
    largest: HEADER,
    begins: ['Host: a\n'],
    pieces: ['a:\n', 'Host: a\n', 'X-Request-Id: a\n', 'Content-Length: 1\n', (i) => `x${i}: a\n`],
    ends: ['Host: a'],
    read: async (text) => {
      const fields = text.split('\n').flatMap((line) => [line.split(':', 1)[0] ?? '', 'a']);
      requestError({ httpVersion: '1.1', rawHeaders: fields, headers: {} } as unknown as IncomingMessage);
      return ask({ rawHeaders: [...fields, ...AUTHORIZATION] });
    },
  },
  {
    text: 'the URL of a Fetch request',
    readings: ['src/adapters/http/fetch/fetch-request.ts URL_PARTS'],
    largest: HEADER,
    begins: ['http://', 'http://e/', 'http:', 'http://e/?'],
    pieces: ['://', 'http://', '/a'],
    ends: ['#', '?', '://'],
    read: (url) => fetchRequest({ method: 'GET', url, headers: new Headers() } as Request, '/shop'),
  },
  {
    text: 'Authorization of a Fetch request',
    readings: ['src/adapters/http/fetch/fetch-request.ts rawHeadersOf'],
    largest: HEADER,
    begins: ['Bearer '],
    pieces: [', ', ' ,'],
    ends: ['a'],
    read: (authorization) => {
      // `Headers` refuses other characters, and so do servers.
      const value = authorization.replaceAll(/[^\t -~]/g, 'x');
      return fetchRequest(
        { method: 'GET', url: 'http://e/', headers: new Headers({ authorization: value }) } as Request,
        '',
      );
    },
  },
  {
    text: 'the body of a creation',
    readings: [
      'src/domain/int64.ts toInt64',
      'src/domain/pet.ts isName',
      'src/domain/pet.ts isShortEnough',
      'src/json/parse-json.ts NUMBER',
      'src/json/parse-json.ts PLAIN_INTEGER',
      'src/adapters/http/json/json-body.ts decodeUtf8',
      'src/json/parse-json.ts parseJson',
      'src/json/parse-json.ts parseNumber',
      'src/json/parse-json.ts positionOf',
      'src/json/plain-object.ts NOT_PLAIN',
      'src/json/plain-object.ts parsePlainObject',
    ],
    largest: BODY,
    begins: [
      '{',
      '{"name":"',
      '{"categoryId":',
      '{"categoryId":-',
      '{"categoryId":1.',
      '{"categoryId":1e',
      '{"a":[',
      '[',
      '"',
    ],
    pieces: [
      '{"a":',
      '{"__proto__":',
      '"a":1,',
      '"a":"\\u0041",',
      '"a":[],',
      ',"a":1',
      '\\u0041',
      '\\"',
      '1,',
      '01',
      'e1',
      '\u0301',
      '😀',
      (i) => `"member ${i}":${i},`,
      (i) => `"${i}":1.5,`,
    ],
    ends: ['}', '"}', '":1}', '1]}', 'x'],
    read: async (body) => ask({ method: 'POST', rawHeaders: [...AUTHORIZATION, ...JSON_TYPE] }, body),
  },
  {
    text: 'blanks around the body of a creation',
    readings: [],
    largest: BODY,
    begins: ['\t', '{}'],
    pieces: ['\r\n'],
    ends: ['{"categoryId":7}', '{"categoryId":7.0}', NEW_PET.slice(0, -1)],
    read: async (body) => ask({ method: 'POST', rawHeaders: [...AUTHORIZATION, ...JSON_TYPE] }, body),
  },
];

const OPERATOR = 'reads what the operator of the process, or the application around, has configured';
const OWN = 'reads what this program has written itself';

/** Declarations that read no text of a client, or of a folder all of them, and why that is so. */
export const NOT_OF_CLIENTS: Readonly<Record<string, string>> = {
  'src/domain/api-keys/api-key.ts isApiKeyName': OPERATOR,
  'src/domain/api-keys/api-key-text.ts makeApiKeyText': OWN,
  'src/adapters/http/base-path.ts BASE_PATH': OPERATOR,
  'src/adapters/http/fetch/create-fetch-handler.ts createFetchHandler': OPERATOR,
  'src/adapters/http/guards/cors.ts SCHEME_AND_HOST': OPERATOR,
  'src/adapters/http/guards/cors.ts isCorsOrigin': OPERATOR,
  'src/adapters/http/json/pet-texts.ts PetTexts': OWN,
  'src/adapters/http/operations/openapi.ts pathsOf': OWN,
  'src/adapters/http/operations/reference.ts pageOf': OWN,
  'src/adapters/http/operations/reference.ts policy': OPERATOR,
  'src/adapters/http/content.ts bytesOf': OWN,
  'src/adapters/http/route-index.ts PARAMETER': OWN,
  'src/adapters/sqlite/sqlite-database.ts openSqliteDatabase': OPERATOR,
  'src/adapters/sqlite/sqlite-errors.ts isNoTransaction': OWN,
  'src/adapters/sqlite/sqlite-pet-catalogue.ts SqlitePetCatalogue': OWN,
  'src/adapters/http/server/drain.ts drain': 'waits for an event by its name',
  'src/adapters/http/server/http-server.ts createHttpServer': 'waits for an event by its name',
  'src/adapters/remote/': 'reads what the remote service answers, at most 2 MiB of it',
  'src/adapters/in-memory/in-memory-pet-catalogue.ts InMemoryPetCatalogue': 'makes a bigint of a number',
  'src/adapters/mongodb/': 'reads what the operator has configured and the database holds; hashes keys, in one pass',
  'src/bootstrap/': OPERATOR,
};

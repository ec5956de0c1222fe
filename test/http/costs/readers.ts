import type { IncomingMessage } from 'node:http';
import { httpRequestOf } from '../../../src/adapters/http/fetch/fetch-request.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import type { HttpRequest } from '../../../src/adapters/http/request.js';
import { requestError } from '../../../src/adapters/http/server/refusals.js';
import { mountPathOf, parseTarget } from '../../../src/adapters/http/target.js';
import { isApiKeyFormat } from '../../../src/domain/api-keys/api-key-format.js';
import { inMemory, KEY, REX, SILENT } from '../../support/in-memory-interface.js';

/** Something that reads a text of a client. */
export interface Reader {
  /** The files of `src` that read it, as `filesThatRead` gives them. */
  readonly files?: readonly string[];
  /** The greatest length of the text. @default that of a header section */
  readonly largest?: number;
  /** Beginnings, pieces to repeat and ends that a text of this kind may have, beside those that every text gets. */
  readonly begins: readonly string[];
  readonly pieces: readonly Piece[];
  readonly ends: readonly string[];
  readonly read: (text: string) => unknown;
}

/** What is repeated: a text, or the text for each repetition. */
export type Piece = string | ((i: number) => string);

/** Twice the default limit of a body. */
const BODY = 2 * 65_536;

const { answer } = createHttpInterface(
  inMemory({ bodyLimit: 2 * BODY, corsOrigins: ['https://shop.example'], log: SILENT }),
);

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

/** Reads the value of a header field of a creation that is refused for its body, so that the catalogue does not change. */
function field(name: string): Reader['read'] {
  const others = [...AUTHORIZATION, ...JSON_TYPE].filter((_, i, fields) => fields[i - (i % 2)] !== name);
  return async (value) => ask({ method: 'POST', rawHeaders: [...others, name, value] }, '{}');
}

const create = async (body: string): Promise<unknown> =>
  ask({ method: 'POST', rawHeaders: [...AUTHORIZATION, ...JSON_TYPE] }, body);

/** Every reader of the sources, by what it reads. */
export const READERS: Readonly<Record<string, Reader>> = {
  'the target of a request': {
    files: ['src/adapters/http/target.ts'],
    begins: ['http://', 'http://e/', '/', '/?'],
    pieces: ['http://', '//', '/a'],
    ends: ['?', '#', '/'],
    read: (text) => [parseTarget(text), mountPathOf(text, '/v1/pets')],
  },
  'the path of a request': {
    files: ['src/adapters/http/route-index.ts', 'src/adapters/http/operations/get-pet.ts'],
    begins: ['/', '/v1/', '/v1/pets/', '/docs'],
    pieces: ['/a', '/v1/pets', '%2F', '9'],
    ends: ['/', '/7'],
    read: async (path) => ask({ path }),
  },
  'the query of a list': {
    files: ['src/domain/int64.ts', 'src/adapters/http/operations/list-pets.ts'],
    begins: ['limit=', 'after=', 'after=-', 'status=', 'x='],
    pieces: ['limit=1&', 'after=1&', '%20', '%', '9', '+', (i) => `${i}=1&`],
    ends: ['&limit=1', 'x'],
    read: async (query) => ask({ query }),
  },
  Authorization: {
    files: ['src/adapters/http/guards/authenticate.ts'],
    begins: ['Bearer', 'Bearer ', 'Bearer ask_'],
    pieces: ['Bearer ', 'ask_'],
    ends: ['\n', 'x'],
    read: field('Authorization'),
  },
  'an API key': {
    files: ['src/domain/api-keys/api-key-format.ts'],
    begins: ['ask_', 'ask_0000000000000000000000000000000000000'],
    pieces: ['ask_'],
    ends: ['0'],
    read: isApiKeyFormat,
  },
  'Content-Type': {
    files: ['src/adapters/http/json/media-type.ts'],
    begins: ['application/json', 'application/json;', 'application/json;a="', 'application/json;charset=utf-8;a="'],
    pieces: ['; ', ' ;', ';a=b', ';a="b"', '\\"', '";a="', ';charset=utf-8', (i) => `;a${i}=b`],
    ends: ['"', ';charset=utf-8', '";charset=utf-8', '=', 'a="'],
    read: field('Content-Type'),
  },
  'Content-Encoding': {
    begins: ['identity', 'identity,'],
    pieces: ['identity,', ', '],
    ends: ['identity'],
    read: field('Content-Encoding'),
  },
  'Accept-Encoding': {
    begins: ['gzip', 'gzip;', 'gzip;q=', '*;q=0,'],
    pieces: ['gzip,', ', ', ' ,', ';q=0', ';q=', ' ;', 'br;q=0.5,', (i) => `x${i},`],
    ends: ['gzip', ';q=0', '='],
    read: async (value) => ask({ path: '/docs', rawHeaders: ['Accept-Encoding', value] }),
  },
  'If-None-Match': {
    begins: ['"', 'W/"', '*'],
    pieces: ['"a", ', 'W/', '","', ' ,', (i) => `"${i}", `],
    ends: ['"', '*'],
    read: async (value) => ask({ path: '/docs', rawHeaders: ['If-None-Match', value] }),
  },
  'Content-Length': {
    begins: ['0', '1e', '0x'],
    pieces: ['9', '_', '.'],
    ends: ['9'],
    read: field('Content-Length'),
  },
  'Idempotency-Key': {
    files: ['src/domain/idempotency-key.ts', 'src/adapters/http/idempotency-key.ts'],
    begins: ['"', '"\\'],
    pieces: ['\\"', '\\\\', '!'],
    ends: ['"', '\\"'],
    read: field('Idempotency-Key'),
  },
  'X-Request-Id': {
    files: ['src/adapters/http/request.ts'],
    begins: ['a'],
    pieces: ['.', '-'],
    ends: ['!'],
    read: field('X-Request-Id'),
  },
  Origin: {
    begins: ['https://', 'https://shop.example'],
    pieces: ['.', ':'],
    ends: ['/'],
    read: field('Origin'),
  },
  Host: {
    files: ['src/adapters/http/server/refusals.ts'],
    begins: ['[', 'a:'],
    pieces: ['.', ':', '%41'],
    ends: ['@', ']'],
    read: (host) =>
      requestError({ httpVersion: '1.1', rawHeaders: ['Host', host], headers: { host } } as IncomingMessage),
  },
  'the names of header fields': {
    begins: ['Host: a\n'],
    pieces: ['a:\n', 'Host: a\n', 'X-Request-Id: a\n', 'Content-Length: 1\n', (i) => `x${i}: a\n`],
    ends: ['Host: a'],
    read: async (text) => {
      const fields = text.split('\n').flatMap((line) => [line.split(':', 1)[0] ?? '', 'a']);
      requestError({ httpVersion: '1.1', rawHeaders: fields, headers: {} } as unknown as IncomingMessage);
      return ask({ rawHeaders: [...fields, ...AUTHORIZATION] });
    },
  },
  'the URL of a Fetch request': {
    files: ['src/adapters/http/fetch/fetch-request.ts'],
    begins: ['', '/', '?', '#'],
    pieces: ['://', 'http://', '/a', '../', 'a/../'],
    ends: ['#', '?', '://'],
    read: (text) =>
      httpRequestOf({ method: 'GET', url: `http://e/${text}`, headers: new Headers() } as Request, '/shop'),
  },
  'Authorization of a Fetch request': {
    files: ['src/adapters/http/fetch/fetch-request.ts'],
    begins: ['Bearer '],
    pieces: [', ', ' ,'],
    ends: ['a'],
    read: (authorization) => {
      // `Headers` refuses other characters, and so do servers.
      const value = authorization.replaceAll(/[^\t -~]/g, 'x');
      return httpRequestOf(
        { method: 'GET', url: 'http://e/', headers: new Headers({ authorization: value }) } as Request,
        '',
      );
    },
  },
  'the body of a creation': {
    files: [
      'src/domain/int64.ts',
      'src/domain/pet.ts',
      'src/json/parse-json.ts',
      'src/adapters/http/json/json-body.ts',
      'src/json/plain-object.ts',
    ],
    largest: BODY,
    begins: '{ {"name":" {"categoryId": {"categoryId":- {"categoryId":1. {"categoryId":1e {"a":[ [ "'.split(' '),
    pieces: [
      ...'{"a": {"__proto__": "a":1, "a":"\\u0041", "a":[], ,"a":1 \\u0041 \\" 1, 01 e1 \u0301 😀'.split(' '),
      (i) => `"member ${i}":${i},`,
      (i) => `"${i}":1.5,`,
    ],
    ends: ['}', '"}', '":1}', '1]}', 'x'],
    read: create,
  },
  'blanks around the body of a creation': {
    largest: BODY,
    begins: ['\t', '{}'],
    pieces: ['\r\n'],
    ends: ['{"categoryId":7}', '{"categoryId":7.0}', REX.slice(0, -1)],
    read: create,
  },
};

const OPERATOR = 'reads what the operator of the process, or the application around, has configured or hands over';
const OWN = 'reads what this program has written itself';

/** Files that read no text of a client, or folders all of whose files do not, and why that is so. */
export const NOT_OF_CLIENTS: Readonly<Record<string, string>> = {
  'src/domain/api-keys/api-key.ts': OPERATOR,
  'src/adapters/http/base-path.ts': OPERATOR,
  'src/adapters/http/fetch/create-fetch-handler.ts': OPERATOR,
  'src/adapters/http/cors.ts': OPERATOR,
  'src/adapters/http/json/pet-json-cache.ts': OWN,
  'src/adapters/http/reference/': OWN,
  'src/adapters/sqlite/sqlite-database.ts': OPERATOR,
  'src/adapters/sqlite/sqlite-errors.ts': OWN,
  'src/adapters/sqlite/sqlite-pet-catalogue.ts': OWN,
  'src/adapters/http/server/http-server.ts': 'waits for an event by its name',
  'src/adapters/remote/': 'reads what the remote service answers, at most 2 MiB of it',
  'src/adapters/files/': OPERATOR,
  'src/application/moving/': OPERATOR,
  'src/adapters/mongodb/': 'reads what the operator has configured and the database holds; hashes keys, in one pass',
  'src/bootstrap/': OPERATOR,
};

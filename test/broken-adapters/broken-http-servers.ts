import { isPetStatus } from '../../src/domain/pet-status.js';
import { REX, type HttpServerUnderTest } from '../contracts/http-client.js';
import { KEY } from '../support/in-memory-interface.js';
import type { Broken } from './breaking.js';

/** Answers a request. */
export type Handle = NonNullable<HttpServerUnderTest['fetch']>;

/** Makes a broken server of a sound one. */
export type Around = (handle: Handle) => Handle;

/** A response whose body has been read. */
interface ReadResponse {
  readonly text: string;
  readonly status: number;
  readonly headers: Headers;
}

type Operation = 'listPets' | 'createPet' | 'getPet';

function operationOf({ method, url }: Request): Operation {
  if (method === 'POST') return 'createPet';
  return new URL(url).pathname.endsWith('/pets') ? 'listPets' : 'getPet';
}

/** Makes servers that answer with another text or status. */
function answering(change: (response: ReadResponse, request: Request) => Partial<ReadResponse>): Around {
  return (handle) => async (request) => {
    const { status, headers, ...sound } = await readResponse(await handle(request));
    const { text = sound.text, ...changed } = change({ status, headers, ...sound }, request);
    if (text !== sound.text && headers.has('Content-Length'))
      headers.set('Content-Length', `${Buffer.byteLength(text)}`);
    const answered = changed.status ?? status;
    return new Response(answered === 304 ? null : text, { status: answered, headers });
  };
}

async function readResponse(response: Response): Promise<ReadResponse> {
  return { status: response.status, headers: new Headers(response.headers), text: await response.text() };
}

/** Makes servers that change the text of the responses of an operation that succeeded. */
function succeeding(operation: Operation, change: (text: string) => string): Around {
  return answering(({ text, status }, request) =>
    status < 300 && operationOf(request) === operation ? { text: change(text) } : {},
  );
}

/** Makes servers that answer otherwise where the sound one answers with this status. */
function failing(status: number, change: (text: string) => Partial<ReadResponse>): Around {
  return answering((response) => (response.status === status ? change(response.text) : {}));
}

/** Makes servers that change a header field of their responses; `null` removes it. */
function field(
  name: string,
  change: (value: string | null, status: number, request: Request) => string | null,
): Around {
  return answering(({ headers, status }, request) => {
    setField(headers, name, change(headers.get(name), status, request));
    return {};
  });
}

function setField(headers: Headers, name: string, value: string | null): void {
  if (value === null) headers.delete(name);
  else headers.set(name, value);
}

/** Makes servers that read another header field; `null` is none. */
function receiving(name: string, change: (value: string | null, request: Request) => string | null): Around {
  return (handle) => (request) => {
    const received = new Request(request);
    setField(received.headers, name, change(request.headers.get(name), request));
    return handle(received);
  };
}

/** Makes servers that read another address. */
function locating(change: (url: URL) => unknown): Around {
  return (handle) => (request) => {
    const url = new URL(request.url);
    change(url);
    return handle(new Request(url, request));
  };
}

/** Makes servers that read another query. */
function querying(change: (query: URLSearchParams) => unknown): Around {
  return locating(({ searchParams }) => change(searchParams));
}

/** Makes servers that read another text as the body. */
function readingText(change: (text: string) => string): Around {
  return (handle) => async (request) => {
    const text = await request.clone().text();
    return handle(text === '' ? request : withBody(request, change(text)));
  };
}

function withBody(request: Request, body: string): Request {
  return new Request(request, { body, duplex: 'half' });
}

/** Makes servers that read another body of JSON. */
function reading(change: (body: Readonly<Record<string, unknown>>) => object): Around {
  return readingText((text) => JSON.stringify(change(JSON.parse(text) as Readonly<Record<string, unknown>>)));
}

/** Makes servers that accept other credentials for an operation. */
function accepting(operation: Operation, isAccepted: (authorization: string | null) => boolean): Around {
  return receiving('Authorization', (value, request) =>
    operationOf(request) === operation && isAccepted(value) ? `Bearer ${KEY}` : value,
  );
}

/** Makes servers that answer requests with an Error of this status that the sound one answers otherwise. */
function refusing(status: number, isRefused: (request: Request) => boolean): Around {
  return (handle) => (request) =>
    isRefused(request)
      ? Promise.resolve(Response.json({ code: 'refused', message: 'refused', status }, { status }))
      : handle(request);
}

/** Makes servers that add {@link REX} when they refuse a creation that `isAdded` is true of. */
function addingRefused(isAdded: (response: Response, request: Request) => boolean): Around {
  return (handle) => async (request) => {
    const response = await handle(request.clone());
    if (request.method === 'POST' && response.status >= 400 && isAdded(response, request)) {
      const added = withBody(request, REX);
      added.headers.set('Authorization', `Bearer ${KEY}`);
      await handle(added);
    }
    return response;
  };
}

/** Loses the digits of integers that a double cannot hold. */
const rounded = (text: string): string => JSON.stringify(JSON.parse(text));

/** Servers that break a sentence of the interface. */
export const brokenInterfaces: Broken<Around> = {
  'listPets answers 200 with an array of animals': {
    'wraps the array in an object': succeeding('listPets', (text) => `{"pets":${text}}`),
  },
  'listPets returns at most 20 animals by default': {
    'lists 100 animals by default': querying((query) => query.set('limit', query.get('limit') ?? '100')),
  },
  'listPets returns at most limit animals, 1 to 100': {
    'ignores the limit': querying((query) => query.delete('limit')),
  },
  'listPets with a status returns only animals that have it': {
    'ignores the status': querying((query) => query.delete('status')),
  },
  'createPet answers 201 with the animal and its id': {
    'answers 200 to a creation': failing(201, () => ({ status: 200 })),
  },
  'createPet assigns each animal an id of its own': {
    'gives every animal the same id': succeeding('createPet', (text) => text.replace(/"id":\d+/, '"id":1')),
  },
  'createPet needs no status': {
    'has null for no status': succeeding('createPet', (text) => text.replace(/(\d)\}$/, '$1,"status":null}')),
  },
  'createPet takes each status': {
    'takes pending for available': reading((body) =>
      body['status'] === 'pending' ? { ...body, status: 'available' } : body,
    ),
  },
  'createPet answers with every digit of a categoryId': {
    'answers a creation with doubles': succeeding('createPet', rounded),
  },
  'createPet answers with the name as it was sent': {
    'answers with names in lower case': succeeding('createPet', (text) => text.toLowerCase()),
  },
  'createPet answers 400 if the body is missing': {
    'answers 422 to an invalid body': failing(400, () => ({ status: 422 })),
  },
  'every error has a code, a message and its status': {
    'has an Error without a message': failing(400, () => ({ text: '{"code":"invalid","status":400}' })),
  },
  'createPet answers 400 to no name': { 'invents a name': reading((body) => ({ name: 'nameless', ...body })) },
  'createPet answers 400 to no categoryId': { 'invents a category': reading((body) => ({ categoryId: 0, ...body })) },
  'createPet answers 400 to a name that is not a string': {
    'turns names into texts': reading((body) => ('name' in body ? { ...body, name: String(body['name']) } : body)),
  },
  'createPet answers 400 to a categoryId that is not an int64': {
    'turns categories into numbers': reading((body) =>
      'categoryId' in body ? { ...body, categoryId: Math.trunc(Number(body['categoryId'])) } : body,
    ),
  },
  'createPet answers 400 to an unknown status': {
    'ignores a status that it does not know': reading(({ status, ...body }) =>
      isPetStatus(status) ? { ...body, status } : body,
    ),
  },
  'getPet answers 200 with the animal as it was created': {
    'answers getPet with doubles': succeeding('getPet', rounded),
  },
  'getPet answers 404 if no animal has the id': {
    'answers null if no animal has the id': failing(404, () => ({ status: 200, text: 'null' })),
  },
  ...Object.fromEntries(
    (['listPets', 'createPet', 'getPet'] as const).flatMap((operation) => [
      [
        `${operation} answers 401 without an API key`,
        { [`needs no key for ${operation}`]: accepting(operation, (authorization) => authorization === null) },
      ],
      [
        `${operation} answers 401 to an invalid API key`,
        {
          [`accepts any key for ${operation}`]: accepting(operation, (authorization) => authorization !== null),
          [`accepts what begins with a key for ${operation}`]: accepting(
            operation,
            (authorization) => authorization?.startsWith(`Bearer ${KEY}`) === true,
          ),
        },
      ],
    ]),
  ),
  'every body is application/json': {
    'has errors in plain text': field('Content-Type', (type, status) => (status === 401 ? 'text/plain' : type)),
  },
};

/** Servers that break a sentence of the contract. */
export const brokenContracts: Broken<Around> = {
  'the name of the scheme may be in any case, with several spaces after it': {
    'wants the scheme in this case': receiving('Authorization', (value) =>
      value?.startsWith('Bearer ') ? value : null,
    ),
  },
  'anything but one bearer token counts as no key': {
    'accepts a key with any scheme': receiving(
      'Authorization',
      (value) => value?.replace(/^\w+\s+/, 'Bearer ') ?? null,
    ),
    'challenges with another scheme': field('WWW-Authenticate', (value) => value && 'Basic realm="Bearer"'),
  },
  'a key that is not exactly an API key is an invalid one': {
    'says of no key that it is invalid': field('WWW-Authenticate', (value) => value && 'Bearer realm="animals"'),
    'reads the first word of a key': receiving(
      'Authorization',
      (value) => value?.replace(/^(\w+ +\S+) .*/, '$1') ?? null,
    ),
  },
  'a key counts only in Authorization': {
    'accepts a key in X-API-Key': receiving('Authorization', (value, { headers }) => {
      const key = headers.get('X-API-Key');
      return key === null ? value : `Bearer ${key}`;
    }),
  },
  'the key is checked before everything else under the base path': {
    'answers 404 to anyone': refusing(404, ({ url }) => url.endsWith('/nowhere')),
  },
  'a creation that is refused adds nothing': {
    'checks the key after it has added the animal': addingRefused(({ status }) => status === 401),
  },
  'createPet answers with the animal, without a missing status, and the Location that it is at': {
    'makes up a status': succeeding('createPet', (text) => text.replace(/(\d)\}$/, '$1,"status":"available"}')),
    'has the Location of another animal': field('Location', (location) => location?.replace(/\d+$/, '1') ?? null),
    'has a Location where nothing is': field('Location', (location) => location?.replace('/pets', '/animals') ?? null),
  },
  'createPet stores each of many concurrent animals, under positive ids greater than those before': {
    'numbers downwards': succeeding('createPet', (text) => text.replace(/\d+/, (id) => `${1000n - BigInt(id)}`)),
  },
  'createPet keeps a name code unit for code unit': {
    'trims the names of lists': succeeding('listPets', (text) => text.replaceAll(/"name":"\s+/g, '"name":"')),
  },
  'createPet takes every number that is a whole int64, and keeps each digit': {
    'reads numbers as doubles': answering(({ text }) => ({
      text: text.replace('9007199254740993', '9007199254740992'),
    })),
  },
  'createPet ignores unknown members, and all but the last of a repeated one': {
    'refuses unknown members': readingText((text) => text.replace(/"id":99/, '"status":99')),
  },
  'getPet and createPet ignore a query': {
    'checks the query of getPet': refusing(400, ({ url }) => /pets\/\d+\?l/.test(url)),
  },
  'createPet answers 400 to a body that is missing, is not UTF-8, or is no JSON object': {
    'reads bytes that are not UTF-8 as U+FFFD': readingText((text) => text),
  },
  'createPet names every member that breaks a rule, and no other': {
    'names the first fault alone': failing(400, (text) => ({ text: text.replace(/(; categoryId|; status)[^"]*/, '') })),
  },
  'createPet takes application/json in UTF-8, and answers 415 to every other media type': {
    'reads every type as JSON': receiving('Content-Type', (type) => type && 'application/json'),
  },
  'createPet answers 415 to a content coding, and names the one that it accepts': {
    'ignores the coding': receiving('Content-Encoding', () => null),
  },
  'without an Idempotency-Key, each request adds an animal': {
    'takes no key for a key': receiving('Idempotency-Key', (key) => key ?? 'none'),
  },
  'an Idempotency-Key gets the same response again, and adds one animal': {
    'ignores the key': receiving('Idempotency-Key', () => null),
  },
  'an Idempotency-Key with another animal gets 422, which reveals nothing of the first': {
    'reveals the first animal': failing(422, (text) => ({ text: text.replace('"message":"', '$&Rex: ') })),
  },
  'an Idempotency-Key is the same bare and as a quoted string, up to 255 characters': {
    'takes quotes for a part of a key': receiving(
      'Idempotency-Key',
      (key) => key?.replaceAll(/["\\]/g, '-').slice(-255) ?? null,
    ),
  },
  'a malformed Idempotency-Key gets 400, and adds nothing': {
    'removes the white space from keys': receiving('Idempotency-Key', (key) => key?.replaceAll(/\s/g, '') ?? null),
  },
  'an Idempotency-Key is not used up by a request that is refused': {
    'uses a key up before it reads the body': addingRefused((_response, { headers }) => headers.has('Idempotency-Key')),
  },
  'concurrent requests with an Idempotency-Key add one animal, and all get it': {
    'knows a key once its animal is stored': (handle) => {
      const stored = new Set<string | null>();
      return async (request) => {
        const key = request.headers.get('Idempotency-Key');
        const sent = new Request(request);
        if (!stored.has(key)) setField(sent.headers, 'Idempotency-Key', null);
        const response = await handle(sent);
        stored.add(key);
        return response;
      };
    },
  },
  'an Idempotency-Key is checked after the API key, and ignored by the other operations': {
    'checks the key of every request': refusing(400, ({ headers }) => headers.get('Idempotency-Key') === 'a b'),
  },
  'listPets answers a bare array of animals by ascending id, each as getPet does': {
    'lists the newest animal first': succeeding(
      'listPets',
      (text) =>
        `[${text
          .slice(1, -1)
          .split(/(?<=\}),/)
          .reverse()
          .join()}]`,
    ),
  },
  'listPets returns as many animals as limit says, by default 20': {
    'lists 10 animals by default': querying((query) => query.set('limit', query.get('limit') ?? '10')),
  },
  'listPets with a status returns every animal that has it, and none without a status': {
    'ignores the status': querying((query) => query.delete('status')),
  },
  'listPets returns only animals whose id is greater than after, any int64': {
    'ignores after': querying((query) => query.delete('after')),
  },
  'listPets answers 400 to an invalid limit, and names it': {
    'lists 100 animals for a greater limit': querying(
      (query) => query.get('limit') === '101' && query.set('limit', '100'),
    ),
  },
  'listPets answers 400 to an invalid status, and names it': {
    'ignores the case of a status': querying(
      (query) => query.get('status') === 'Available' && query.set('status', 'available'),
    ),
  },
  'listPets answers 400 to an invalid after, and names it': {
    'ignores an after without a value': querying((query) => query.get('after') === '' && query.delete('after')),
  },
  'listPets answers 400 to a parameter that is given twice': {
    'reads the first of several values': querying((query) => {
      for (const name of ['limit', 'status', 'after']) if (query.has(name)) query.set(name, query.get(name) as string);
    }),
  },
  'listPets ignores other parameters': {
    'refuses parameters that it does not know': refusing(400, ({ url }) => /[?&]x=/.test(url)),
  },
  'the link to the next page leads to one with the limit and the status of the request': {
    'has no limit in the link': field('Link', (link) => link?.replace(/limit=\d+&/, '') ?? null),
    'has no status in the link': field('Link', (link) => link?.replace(/status=\w+&/, '') ?? null),
    'links to the next page by another relation': field(
      'Link',
      (link) => link?.replace('"next"', '"prefetch"') ?? null,
    ),
  },
  'the links lead through every animal, once each, to the last page, which has none': {
    'skips an animal after each page': field(
      'Link',
      (link) => link?.replace(/after=(\d+)/, (_, id: string) => `after=${BigInt(id) + 1n}`) ?? null,
    ),
  },
  'getPet answers 404 to anything but the canonical id of an animal': {
    'accepts leading zeros': locating((url) => (url.pathname = url.pathname.replace(/\/pets\/0+(?=\d)/, '/pets/'))),
  },
  'getPet says on every response but a 401 that it is deprecated, and no other operation does': {
    'says it of animals alone': field('Sunset', (sunset, status) => (status === 200 ? sunset : null)),
    'deprecates everything': field('Deprecation', () => '@1795132800'),
  },
  'paths are exact and case-sensitive, and any other is answered 404, whatever the method': {
    'answers 405 to an unknown path': refusing(405, ({ method, url }) => method === 'PUT' && url.endsWith('/nowhere')),
  },
  'another method of a path is answered 405, with the methods that it has': {
    'names no methods': field('Allow', () => null),
  },
  'what is beside the base path needs no key, and is not under it': {
    'wants a key for /livez': refusing(
      401,
      ({ url, headers }) => url.includes('/livez') && !headers.has('Authorization'),
    ),
  },
  'the OpenAPI document describes each operation': {
    'does not describe getPet': answering(({ text }) => ({ text: text.replace('"operationId":"getPet"', '"x":0') })),
  },
  'the OpenAPI document is answered 304 if the client has it': {
    'sends the document again': receiving('If-None-Match', () => null),
  },
  'every response is JSON in UTF-8, and says so': {
    'names no charset': field('Content-Type', (type) => type?.replace(/;.*/, '') ?? null),
  },
  'every response under the base path, and every error, has Cache-Control: no-store': {
    'lets errors be stored': field('Cache-Control', (value, status) => (status === 404 ? null : value)),
  },
  'every error has exactly a code, a message without a stack, and its status': {
    'has a member more': failing(404, (text) => ({ text: text.replace('{', '{"error":"not found",') })),
    'shows its stack': failing(404, (text) => ({
      text: text.replace('"message":"', '$&Error at get (store.js:7:1): '),
    })),
  },
  'HEAD is answered as GET is, without the body': { 'knows no HEAD': refusing(405, ({ method }) => method === 'HEAD') },
  "X-Request-Id is the client's own, on every response": {
    'makes a new id for each response': field('X-Request-Id', () => globalThis.crypto.randomUUID()),
  },
  "X-Request-Id is a new one if the client's is malformed or missing": {
    'has one id for all': field('X-Request-Id', (id, _status, { headers }) =>
      headers.get('X-Request-Id') === id ? id : 'x1',
    ),
  },
  'listPets is answered in JSON, whatever Accept says': {
    'answers browsers in HTML': field('Content-Type', (type, _status, { headers }) =>
      headers.get('Accept')?.startsWith('text/html') ? 'text/html' : type,
    ),
  },
};

/** A server that differs from the sound one in what the documents leave open. */
export const differing: Around = [
  answering(({ text }) => ({ text: text.replaceAll(',"', ',\n "') })),
  succeeding('createPet', (text) => text.replace(/^\{"id":(\d+),(.*)\}$/s, '{$2,"id":$1}')),
  field('Content-Type', (type) => type?.replace('; charset=utf-8', ';charset=UTF-8') ?? null),
  field('Content-Length', () => null),
  field('X-Content-Type-Options', () => null),
  field(
    'WWW-Authenticate',
    (value) => value?.replace('Bearer realm="animal-store"', 'Basic, bearer realm="zoo"') ?? null,
  ),
  field('Allow', (allow) => allow?.split(', ').reverse().join() ?? null),
  field('Location', (location, _status, { url }) => location && new URL(location, url).href),
  field('Link', (link, _status, { url }) => {
    const [, target, relation] = /^<(.*)>; rel="(.*)"$/.exec(link ?? '') ?? [];
    if (target === undefined) return link;
    const { href, searchParams } = new URL(target, url);
    const limit = relation === 'next' && !searchParams.has('limit') ? '&limit=20' : '';
    return `</>; rel=index, <${href}${limit}>; title="more, and more"; rel=${relation}`;
  }),
].reduce((all, around) => (handle) => around(all(handle)));

/** Faults of every response, the one check that each fails, and the message. */
export const FAULTS_OF_ALL: readonly (readonly [what: string, around: Around, sentence: string, message: RegExp])[] = [
  [
    'a missing no-store',
    field('Cache-Control', () => null),
    'every response under the base path, and every error, has Cache-Control: no-store',
    /GET http:\/\/127\.0\.0\.1\/v1\/pets\?limit=1: Cache-Control is null, not 'no-store'/,
  ],
  [
    'a missing charset',
    field('Content-Type', () => 'application/json'),
    'every response is JSON in UTF-8, and says so',
    /GET http:\/\/127\.0\.0\.1\/v1\/pets\?limit=1: Content-Type .*is 'application\/json', not 'application\/json;charset=utf-8'/,
  ],
];

import { isPetStatus } from '../../src/domain/pet-status.js';
import type { HttpServerUnderTest } from '../contracts/http-client.js';
import { KEY } from '../support/in-memory-interface.js';
import type { Broken } from './breaking.js';

/** Answers a request. */
export type Handle = NonNullable<HttpServerUnderTest['fetch']>;

/** Makes a broken server of a sound one. */
export type Around = (handle: Handle) => Handle;

/** Makes servers that answer with another text or status, or with another media type. */
function answering(change: (text: string, status: number, request: Request) => Partial<Answer>): Around {
  return (handle) => async (request) => {
    const sound = await handle(request);
    const text = await sound.text();
    const answer = { text, status: sound.status, type: 'application/json', ...change(text, sound.status, request) };
    return new Response(answer.text, { status: answer.status, headers: { 'Content-Type': answer.type } });
  };
}

interface Answer {
  readonly text: string;
  readonly status: number;
  readonly type: string;
}

/** Makes servers that read another query. */
function querying(change: (query: URLSearchParams) => void): Around {
  return (handle) => (request) => {
    const url = new URL(request.url);
    change(url.searchParams);
    return handle(new Request(url, request));
  };
}

/** Makes servers that read another body of JSON. */
function reading(change: (body: Readonly<Record<string, unknown>>) => object): Around {
  return (handle) => async (request) => {
    const text = await request.clone().text();
    if (text === '') return handle(request);
    const body = JSON.stringify(change(JSON.parse(text) as Readonly<Record<string, unknown>>));
    return handle(new Request(request, { body, duplex: 'half' }));
  };
}

/** Makes servers that accept other credentials for an operation. */
function accepting(operation: Operation, isAccepted: (authorization: string | null) => boolean): Around {
  return (handle) => (request) => {
    if (operationOf(request) !== operation || !isAccepted(request.headers.get('Authorization'))) return handle(request);
    const accepted = new Request(request);
    accepted.headers.set('Authorization', `Bearer ${KEY}`);
    return handle(accepted);
  };
}

type Operation = 'listPets' | 'createPet' | 'getPet';

function operationOf({ method, url }: Request): Operation {
  if (method === 'POST') return 'createPet';
  return new URL(url).pathname.endsWith('/pets') ? 'listPets' : 'getPet';
}

/** Loses the digits of integers that a double cannot hold. */
const rounded = (text: string): string => JSON.stringify(JSON.parse(text));

/** Makes servers that change the answers of an operation that succeeded. */
function succeeding(operation: Operation, change: (text: string) => string): Around {
  return answering((text, status, request) =>
    status < 300 && operationOf(request) === operation ? { text: change(text) } : {},
  );
}

/** Makes servers that answer errors of a status otherwise. */
function failing(status: number, change: (text: string) => Partial<Answer>): Around {
  return answering((text, given) => (given === status ? change(text) : {}));
}

/** Servers that break a sentence of the interface. */
export const brokenHttpServers: Broken<Around> = {
  'listPets answers 200 with an array of animals': {
    'wraps the array in an object': succeeding('listPets', (text) => `{"pets":${text}}`),
    'has ids that are texts': succeeding('listPets', (text) => text.replace(/"id":(\d+)/g, '"id":"$1"')),
    'lists no categoryId': succeeding('listPets', (text) => text.replace(/,"categoryId":\d+/g, '')),
  },
  'listPets returns at most 20 animals by default': {
    'lists 100 animals by default': querying((query) => query.set('limit', query.get('limit') ?? '100')),
  },
  'listPets returns at most limit animals, 1 to 100': {
    'ignores the limit': querying((query) => query.delete('limit')),
    'refuses a limit of 100': querying((query) => query.get('limit') === '100' && query.set('limit', '101')),
  },
  'listPets with a status returns only animals that have it': {
    'ignores the status': querying((query) => query.delete('status')),
    'finds no animal by its status': succeeding('listPets', () => '[]'),
  },
  'createPet answers 201 with the animal and its id': {
    'answers 200 to a creation': answering((_text, status) => (status === 201 ? { status: 200 } : {})),
    'answers a creation with the id alone': succeeding('createPet', (text) => text.replace(/,.*/, '}')),
  },
  'createPet assigns each animal an id of its own': {
    'gives every animal the same id': succeeding('createPet', (text) => text.replace(/"id":\d+/, '"id":1')),
  },
  'createPet needs no status': {
    'has null for no status': succeeding('createPet', (text) => text.replace(/(\d)\}$/, '$1,"status":null}')),
    'demands a status': reading((body) => ('status' in body ? body : {})),
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
    'normalises names': succeeding('createPet', (text) => text.normalize()),
    'answers with names in lower case': succeeding('createPet', (text) => text.toLowerCase()),
  },
  'createPet answers 400 if the body is missing': {
    'answers 422 to an invalid body': failing(400, () => ({ status: 422 })),
    'has an Error without a message': failing(400, () => ({ text: '{"code":"invalid","status":400}' })),
    'has an Error with a status that is a text': failing(400, (text) => ({ text: text.replace('400', '"400"') })),
    'has an Error with a code that is a number': failing(400, () => ({ text: '{"code":1,"message":"","status":400}' })),
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
    'answers getPet with an array': succeeding('getPet', (text) => `[${text}]`),
  },
  'getPet answers 404 if no animal has the id': {
    'answers null if no animal has the id': failing(404, () => ({ status: 200, text: 'null' })),
    'answers 404 with an empty body': failing(404, () => ({ text: '' })),
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
    'has errors in plain text': failing(401, () => ({ type: 'text/plain' })),
    'has lists of another type': answering((text) => (text.startsWith('[') ? { type: 'application/jsonl' } : {})),
  },
};

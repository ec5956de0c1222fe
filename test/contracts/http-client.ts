import assert from 'node:assert/strict';
import type { Pet } from '../../src/domain/pet.js';

/** The server under test. */
export interface HttpServerUnderTest {
  /** The base address, which ends in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sends a request. @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** What a check sends besides a method and a path. */
export interface HttpRequest {
  /** The value of `Authorization`; `null` leaves the field out. @default the API key as a bearer token */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes of the body, or a text to send in UTF-8. @default no body */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer whose body has been read. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A client of the server under test. */
export interface HttpClient {
  readonly apiKey: string;
  /** The path of the base address, such as `/v1`. */
  readonly basePath: string;
  /** Sends a request to a path under the base address. */
  send(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** Sends a request without a key to a path beside the base address, such as `/livez`. */
  sendBeside(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer>;
  get(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** Posts a text to `/pets`, as JSON unless the request says otherwise. */
  post(body: string, request?: HttpRequest): Promise<HttpAnswer>;
}

/** The text of a valid creation. */
export const REX = '{"name":"Rex","categoryId":7}';

/** Makes the client of a server. */
export function clientOf({ baseUrl, apiKey, fetch = globalThis.fetch }: HttpServerUnderTest): HttpClient {
  const base = baseUrl.replace(/\/$/, '');
  const sendTo = async (
    method: string,
    url: string,
    { authorization = `Bearer ${apiKey}`, headers, body }: HttpRequest = {},
  ): Promise<HttpAnswer> => {
    const fields = new Headers({ 'Accept-Encoding': 'identity', ...headers });
    if (authorization !== null) fields.set('Authorization', authorization);
    // Bytes, because `fetch` adds a Content-Type to a text.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? null);
    const response = await fetch(new Request(url, { method, headers: fields, body: bytes, redirect: 'manual' }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    apiKey,
    basePath: new URL(base).pathname,
    send: async (method, path, request) => sendTo(method, base + path, request),
    sendBeside: async (method, path, request) =>
      sendTo(method, base.replace(/\/v1$/, path), { authorization: null, ...request }),
    get: async (path, request) => sendTo('GET', base + path, request),
    post: async (body, request) => {
      const headers = { 'Content-Type': 'application/json', ...request?.headers };
      return sendTo('POST', `${base}/pets`, { ...request, headers, body });
    },
  };
}

/** Asserts that an answer has this status. */
export function assertStatus(answer: HttpAnswer, status: number, what = ''): void {
  assert.equal(answer.status, status, `${what} got ${answer.status} ${answer.text.slice(0, 300)}`);
}

/** Parses JSON. Integers become `bigint`, so that no digit is lost and a text of digits is no integer. */
export function parseExact(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    /^-?\d+$/.test(token) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith('\0') ? BigInt(value.slice(1)) : value,
  );
}

/** The animal of an answer, which must have this status. */
export function petOf(answer: HttpAnswer, status: 200 | 201, what?: string): Pet {
  assertStatus(answer, status, what);
  return parseExact(answer.text) as Pet;
}

/** The animals of a list, which must have succeeded. */
export function petsOf(answer: HttpAnswer, what?: string): readonly Pet[] {
  assertStatus(answer, 200, what);
  const pets = parseExact(answer.text);
  assert.ok(Array.isArray(pets), `${answer.text.slice(0, 300)} is no array`);
  return pets as readonly Pet[];
}

/** Creates an animal, by default any valid one. */
export async function createPet(client: HttpClient, body = REX): Promise<Pet> {
  return petOf(await client.post(body), 201, body);
}

/** Creates as many animals, one after the other. */
export async function createPets(client: HttpClient, count: number, body?: string): Promise<Pet[]> {
  const pets: Pet[] = [];
  while (pets.length < count) pets.push(await createPet(client, body));
  return pets;
}

/** Asserts that an answer is an Error, as the interface has it. */
export function assertErrorBody(answer: HttpAnswer, status: number, what?: string): void {
  assertStatus(answer, status, what);
  const error = JSON.parse(answer.text) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly status?: unknown;
  };
  assert.equal(typeof error.code, 'string', `the code in ${answer.text}`);
  assert.equal(typeof error.message, 'string', `the message in ${answer.text}`);
  assert.equal(error.status, status, `the status in ${answer.text}`);
}

/** Asserts that an answer is the Error of the contract with this status and code, and nothing more. Returns its message. */
export function assertError(answer: HttpAnswer, status: number, code: string, what?: string): string {
  assertErrorBody(answer, status, what);
  const error = JSON.parse(answer.text) as { readonly code: string; readonly message: string };
  assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'status']);
  assert.equal(error.code, code, what);
  assert.notEqual(error.message, '');
  assert.doesNotMatch(error.message, /\n|\bat .*:\d+:\d+/, 'the message has a stack');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  return error.message;
}

import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Pet } from '../../src/domain/pet.js';
import { isObject } from './port-results.js';

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

/** A response whose body has been read. */
export interface HttpResponse {
  /** The method and the address of the request, which the messages name. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A client of the server under test. */
export interface HttpClient {
  readonly apiKey: string;
  /** Sends a request to a path under the base address. */
  send(method: string, path: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Sends a request without a key to a path beside the base address, such as `/livez`. */
  sendBeside(method: string, path: string, request?: HttpRequest): Promise<HttpResponse>;
  get(path: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Posts a text to `/pets`, as JSON unless the request says otherwise. */
  post(body: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Gets the address in a header field of a response, relative to that of its request. It must be under the base address. */
  follow(response: HttpResponse, reference: string): Promise<HttpResponse>;
}

/** The text of a valid creation. */
export const REX = '{"name":"Rex","categoryId":7}';

/** Makes the client of a server. */
export function clientOf({ baseUrl, apiKey, fetch = globalThis.fetch }: HttpServerUnderTest): HttpClient {
  const base = new URL(baseUrl).href.replace(/\/$/, '');
  const sendTo = async (
    method: string,
    url: string,
    { authorization = `Bearer ${apiKey}`, headers, body }: HttpRequest = {},
  ): Promise<HttpResponse> => {
    const fields = new Headers({ 'Accept-Encoding': 'identity', ...headers });
    if (authorization !== null) fields.set('Authorization', authorization);
    // Bytes, because `fetch` adds a Content-Type to a text.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? null);
    const response = await fetch(new Request(url, { method, headers: fields, body: bytes, redirect: 'manual' }));
    const { status } = response;
    return { request: `${method} ${url}`, status, headers: response.headers, text: await response.text() };
  };
  return {
    apiKey,
    send: async (method, path, request) => sendTo(method, base + path, request),
    sendBeside: async (method, path, request) =>
      sendTo(method, base.replace(/\/v1$/, path), { authorization: null, ...request }),
    get: async (path, request) => sendTo('GET', base + path, request),
    post: async (body, request) => {
      const headers = { 'Content-Type': 'application/json', ...request?.headers };
      return sendTo('POST', `${base}/pets`, { ...request, headers, body });
    },
    follow: async ({ request }, reference) => {
      const { href } = new URL(reference, request.slice(request.indexOf(' ') + 1));
      assert.ok(href.startsWith(`${base}/`), `${request}: ${reference} leads to ${href}, which is not under ${base}`);
      return sendTo('GET', href);
    },
  };
}

/** Asserts that something of a response is as expected. The message names the request and both values. */
export function assertSame(response: HttpResponse, what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const message = `${response.request}: ${what} is ${shown(actual)}, not ${shown(expected)}`;
  throw new assert.AssertionError({ message, actual, expected, operator: 'deepStrictEqual' });
}

/** Asserts that a header field of a response has this value; `null` is none. */
export function assertField(response: HttpResponse, name: string, expected: string | null): void {
  assertSame(response, name, response.headers.get(name), expected);
}

/**
 * Asserts that a response has this status.
 *
 * @param what What the address does not tell of the request, such as its body.
 */
export function assertStatus(response: HttpResponse, status: number, what = ''): void {
  const detail = what === '' ? '' : ` of ${shown(what)}`;
  assertSame(response, `the status${detail}, with the body ${shown(response.text)},`, response.status, status);
}

function shown(value: unknown): string {
  return inspect(value, { breakLength: Infinity, maxStringLength: 300, maxArrayLength: 40 });
}

/** The JSON of a response. Integers become `bigint`, so that no digit is lost and a text of digits is no integer. */
function parseExact(response: HttpResponse): unknown {
  jsonOf(response);
  const marked = response.text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    /^-?\d+$/.test(token) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith('\0') ? BigInt(value.slice(1)) : value,
  );
}

/** The animal of a response, which must have this status. */
export function petOf(response: HttpResponse, status: 200 | 201, what?: string): Pet {
  assertStatus(response, status, what);
  const pet = parseExact(response);
  assert.ok(isObject(pet), `${response.request}: the body ${shown(response.text)} is not an object`);
  return pet as unknown as Pet;
}

/** The animals of a list, which must have succeeded. */
export function petsOf(response: HttpResponse, what?: string): readonly Pet[] {
  assertStatus(response, 200, what);
  const pets = parseExact(response);
  assert.ok(Array.isArray(pets), `${response.request}: the body ${shown(response.text)} is not an array`);
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

/** Asserts that a response has this status and code. Returns its message. */
export function assertError(response: HttpResponse, status: number, code: string, what?: string): string {
  assertStatus(response, status, what);
  const error = jsonOf(response) as { readonly code?: unknown; readonly message?: unknown } | null;
  assertSame(response, 'the code', error?.code, code);
  return String(error?.message);
}

/** The JSON of a response. */
export function jsonOf({ request, text }: HttpResponse): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new assert.AssertionError({ message: `${request}: the body ${shown(text)} is not JSON: ${String(error)}` });
  }
}

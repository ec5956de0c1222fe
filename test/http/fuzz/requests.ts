import fc from 'fast-check';
import { REX } from '../../support/in-memory-interface.js';

/** What the fuzz test sends as one request, and what it expects of the response. */
export interface FuzzRequest {
  /** One character for each byte. The test replaces the word KEY by a valid API key, and FRESH by an idempotency key of its own. */
  readonly bytes: string;
  readonly status: number;
  /** The `code` of an error. */
  readonly code: string | undefined;
  /** Whether the response has no body. */
  readonly isHead: boolean;
  /** The response's `X-Request-Id`; `undefined` for a fresh one. */
  readonly requestId: string | undefined;
  /**
   * Whether the server closes the connection after the response; `undefined` if it may: it has sent no 100 (Continue), and cannot
   * know whether the client still sends its body.
   */
  readonly isLast: boolean | undefined;
}

/** What is asked for, before it is put into the form of a request. */
interface Content {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly code?: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly idempotencyKey?: string;
}

const get = (target: string, status: number, code?: string): Content => ({
  method: 'GET',
  target,
  status,
  ...(code !== undefined && { code }),
});
const post = (status: number, code?: string, more: Partial<Content> = {}): Content => ({
  ...get('/v1/pets', status, code),
  method: 'POST',
  body: REX,
  ...more,
});

/** One of each kind. Other tests vary what is asked for; this one varies how. */
const CONTENTS: readonly Content[] = [
  get('/v1/pets?limit=3&status=sold', 200),
  get('/v1/pets?after=-9223372036854775808&limit=5', 200),
  get('/v1/pets?limit=0', 400, 'invalid_parameter'),
  get('/v1/pets/-1', 404, 'pet_not_found'),
  get('/v1/nowhere/~!$&()*+,;=:@', 404, 'route_not_found'),
  { ...get('/v1/pets', 405, 'method_not_allowed'), method: 'M-SEARCH' },
  get('/livez', 200),
  get('/docs', 200),
  post(201),
  post(201, undefined, { body: '{"name":"犬😀","categoryId":9223372036854775807,"status":"sold"}' }),
  post(201, undefined, { idempotencyKey: '"FRESH"' }),
  post(400, 'invalid_body', { body: '{"name":"😀"' }),
  post(400, 'invalid_parameter', { idempotencyKey: 'caf\xe9' }),
  post(413, 'body_too_large', { body: ' '.repeat(70_000) }),
  post(415, 'unsupported_media_type', { contentType: 'text/plain' }),
];

/** The usual value, and another one in so many cases. */
function mostly<T>(usual: T, others: fc.Arbitrary<T>, outOf: number): fc.Arbitrary<T> {
  return fc.oneof({ weight: outOf - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

const visible = fc
  .integer({ min: 0x21, max: 0xff })
  .filter((code) => code !== 0x7f)
  .map((code) => String.fromCharCode(code));

/** How a request is put into bytes. */
const forms = fc.record({
  version: mostly('1.1', fc.constant('1.0'), 10),
  closes: mostly(false, fc.constant(true), 20),
  isHead: fc.boolean(),
  isAbsolute: fc.boolean(),
  isChunked: fc.boolean(),
  chunks: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
  hasUpgrade: mostly(false, fc.constant(true), 5),
  expect: mostly<string | undefined>(undefined, fc.constantFrom('100-continue', 'a-miracle'), 9),
  key: mostly<string | undefined>('Bearer KEY', fc.constantFrom(undefined, 'Bearer wrong', 'Basic KEY'), 10),
  requestId: fc.option(fc.string({ unit: fc.constantFrom(...'aZ09._-'), minLength: 1, maxLength: 128 }), {
    nil: undefined,
  }),
  fields: fc.array(fc.string({ unit: visible, maxLength: 40 }), { maxLength: 5 }),
});
type Form = typeof forms extends fc.Arbitrary<infer T> ? T : never;

function requestOf(content: Content, form: Form): FuzzRequest {
  const { version, closes, requestId } = form;
  const { status, code, contentType = 'application/json', idempotencyKey } = content;
  const isHead = content.method === 'GET' && form.isHead;
  const isRefused = content.target.startsWith('/v1') && form.key !== 'Bearer KEY';
  const isChunked = form.isChunked && version === '1.1';
  const connection = [closes ? 'close' : version === '1.0' ? 'keep-alive' : '', form.hasUpgrade ? 'Upgrade' : ''];
  const body = content.body === undefined ? undefined : Buffer.from(content.body).toString('latin1');
  const fields: Record<string, string | number | undefined> = {
    Host: 'animals.example',
    Authorization: form.key,
    Connection: connection.filter((each) => each !== '').join(', ') || undefined,
    Upgrade: form.hasUpgrade ? 'h2c, websocket' : undefined,
    Expect: form.expect,
    'X-Request-Id': requestId,
    'Idempotency-Key': idempotencyKey,
    ...(body !== undefined && { 'Content-Type': contentType }),
    ...(body !== undefined && (isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': body.length })),
    ...Object.fromEntries(form.fields.map((value, i) => [`X-!#${i}`, value])),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  const target = form.isAbsolute ? `http://animals.example${content.target}` : content.target;
  const head = `${isHead ? 'HEAD' : content.method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`;
  return {
    bytes: head + (body === undefined ? '' : isChunked ? inChunks(body, form.chunks) : body),
    ...(isRefused ? { status: 401, code: 'unauthorized' } : { status, code }),
    isHead,
    requestId,
    isLast: closes || form.hasUpgrade || (form.expect === '100-continue' ? undefined : false),
  };
}

/** The body in chunks of these lengths in turn, the last ones longer. */
function inChunks(body: string, lengths: readonly number[]): string {
  let text = '';
  let at = 0;
  for (let i = 0; at < body.length; i++) {
    const chunk = body.slice(at, at + (i > 50 ? 10_000 : (lengths[i % lengths.length] ?? 1)));
    text += `${chunk.length.toString(16)}${i % 3 === 2 ? ';extension=1' : ''}\r\n${chunk}\r\n`;
    at += chunk.length;
  }
  return `${text}0\r\n${lengths.length % 2 === 0 ? 'X-Trailer: 1\r\n' : ''}\r\n`;
}

const HEAD = 'Host: animals.example\r\nAuthorization: Bearer KEY\r\n';
const BODY = '{"name":"never stored","categoryId":7}';
const POST = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

/** Bytes that the server refuses, with the status of its response, which ends the connection. */
const MALFORMED: readonly (readonly [bytes: string, status: 400 | 431])[] = [
  ['garbage\r\n\r\n', 400],
  [`GET /v1/pets HTTP/1.1\r\n${HEAD}nonsense\r\n\r\n`, 400],
  [`GET /v1/pets HTTP/1.1\r\n${HEAD}Host: other.example\r\n\r\n`, 400],
  [`${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
  [`${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${BODY}\r\n0\r\n\r\n`, 400],
  [`${POST.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  [`CONNECT animals.example:443 HTTP/1.1\r\n${HEAD}\r\n`, 400],
  [`GET /v1/pets HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  [`GET /v1/pets HTTP/1.1\r\n${HEAD}${'a:\r\n'.repeat(6000)}\r\n`, 431],
];

const wellFormed = fc.tuple(fc.constantFrom(...CONTENTS), forms).map(([content, form]) => requestOf(content, form));
const malformed = fc.constantFrom(...MALFORMED).map(([bytes, status]): FuzzRequest => {
  const code = status === 400 ? 'bad_request' : 'headers_too_large';
  return { bytes, status, code, isHead: false, requestId: undefined, isLast: true };
});

/** What one connection sends: requests of all shapes, pipelined in random order and cut at random places. */
export interface FuzzConnection {
  readonly requests: readonly FuzzRequest[];
  /** Where the bytes are cut, as fractions of their length. */
  readonly cuts: readonly number[];
}

export const connections: fc.Arbitrary<FuzzConnection> = fc.record({
  requests: fc.array(fc.oneof({ weight: 15, arbitrary: wellFormed }, { weight: 1, arbitrary: malformed }), {
    minLength: 1,
    maxLength: 12,
  }),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
});

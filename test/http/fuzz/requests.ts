import fc from 'fast-check';
import { anyText } from '../../support/any-text.js';
import { REX } from '../../support/in-memory-interface.js';

/** What the fuzz test sends as one request, and what it expects of the answer. */
export interface FuzzRequest {
  /**
   * The bytes, one character each. The test replaces the word KEY by a valid API key, and each FRESH by an idempotency key of
   * its own.
   */
  readonly bytes: string;
  /** The statuses and codes of which the answer must have one each; no code for a success. */
  readonly outcome: Outcome;
  /** Whether the answer has no body. */
  readonly isHead: boolean;
  /** The answer's `X-Request-Id`; `undefined` for a fresh one. */
  readonly requestId: string | undefined;
  /**
   * Whether the server closes the connection after the answer; `undefined` if it may: it has sent no 100 (Continue), and cannot
   * know whether the client still sends its body.
   */
  readonly isLast: boolean | undefined;
  /** The animal that it creates. */
  readonly created?: { readonly name: string; readonly categoryId: string; readonly status?: string };
}

interface Outcome {
  readonly statuses: readonly number[];
  readonly codes: readonly string[];
}

const OK: Outcome = { statuses: [200], codes: [] };
const refusedWith = (status: number, ...codes: string[]): Outcome => ({ statuses: [status], codes });
const BAD_REQUEST = refusedWith(400, 'bad_request');
const TOO_LARGE = refusedWith(431, 'headers_too_large');

/** What is asked for, before it is put into the form of a request. */
interface Content {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly idempotencyKey?: string | undefined;
  readonly outcome: Outcome;
  readonly created?: FuzzRequest['created'];
}

const statuses = fc.constantFrom('available', 'pending', 'sold');
const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const get = (target: string, outcome: Outcome): Content => ({ method: 'GET', target, outcome });
const post = (outcome: Outcome, body = REX, more: Partial<Content> = {}): Content => ({
  method: 'POST',
  target: '/v1/pets',
  body,
  outcome,
  ...more,
});

const lists = fc
  .record({ limit: fc.integer({ min: 1, max: 5 }), status: fc.option(statuses), after: fc.option(int64s) })
  .map((query) => {
    const parts = Object.entries(query).filter(([, value]) => value !== null);
    return get(`/v1/pets?${parts.map(([name, value]) => `${name}=${value}`).join('&')}`, OK);
  });

const badLists = fc
  .constantFrom('limit=0', 'limit=101', 'limit=', 'limit=1&limit=2', 'status=lost', 'after=1.5', 'status=%', 'after=x')
  .map((query) => get(`/v1/pets?${query}`, refusedWith(400, 'invalid_parameter')));

const creations = fc
  .record({
    name: anyText({ minLength: 1, maxLength: 30 }).filter(
      (name) => /\P{White_Space}/u.test(name) && !name.includes('\0'),
    ),
    categoryId: int64s,
    status: fc.option(statuses, { nil: undefined }),
    idempotencyKey: fc.option(fc.constantFrom('FRESH', '"FRESH"'), { nil: undefined }),
  })
  .map(({ name, categoryId, status, idempotencyKey }) =>
    post(
      refusedWith(201),
      `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${status === undefined ? '' : `,"status":"${status}"`}}`,
      { idempotencyKey, created: { name, categoryId: String(categoryId), ...(status !== undefined && { status }) } },
    ),
  );

const badCreations = fc.oneof(
  fc.oneof(fc.json(), anyText({ maxLength: 50 })).map((body) => post(refusedWith(400, 'invalid_body'), body)),
  fc
    .constantFrom('text/plain', 'application/json; charset=latin1', 'x')
    .map((contentType) => post(refusedWith(415, 'unsupported_media_type'), REX, { contentType })),
  fc
    .constantFrom('', 'a b', '"', '"a', '"a"b', 'a, b', '"\\x"', 'caf\xe9', 'x'.repeat(256))
    .map((idempotencyKey) => post(refusedWith(400, 'invalid_parameter'), REX, { idempotencyKey })),
  fc.constant(post(refusedWith(413, 'body_too_large'), ' '.repeat(70_000))),
);

const LETTERS = [...'abcXYZ0189-._~!$&()*+,;=:@%'];

const lookUps = fc
  .oneof(
    int64s.map((id) => (id > 0n ? -id : id)).map(String),
    fc.string({ unit: fc.constantFrom(...LETTERS.slice(0, 6)), minLength: 1, maxLength: 10 }),
  )
  .map((id) => get(`/v1/pets/${id}`, refusedWith(404, 'pet_not_found')));

const elsewhere = fc.oneof(
  fc.constantFrom('/livez', '/readyz', '/openapi.json', '/docs').map((target) => get(target, OK)),
  fc
    .string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 10 })
    .map((rest) => get(`/v1/nowhere/${rest}`, refusedWith(404, 'route_not_found'))),
  fc
    .constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH')
    .map((method) => ({ ...get('/v1/pets', refusedWith(405, 'method_not_allowed')), method })),
);

/** The usual value, and another one in so many cases. */
function mostly<T>(usual: T, others: fc.Arbitrary<T>, outOf: number): fc.Arbitrary<T> {
  return fc.oneof({ weight: outOf - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

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
  key: mostly<string | undefined>('KEY', fc.constantFrom(undefined, 'Bearer wrong', 'Basic KEY'), 10),
  requestId: fc.option(fc.string({ unit: fc.constantFrom(...'abcXYZ019._-'), minLength: 1, maxLength: 128 }), {
    nil: undefined,
  }),
  fields: fc.array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom(...'abcXYZ019-!#'), minLength: 1, maxLength: 20 }).map((name) => `X-${name}`),
      fc.string({
        unit: fc
          .integer({ min: 0x21, max: 0xff })
          .filter((code) => code !== 0x7f)
          .map((code) => String.fromCharCode(code)),
        maxLength: 40,
      }),
    ),
    { maxLength: 5 },
  ),
});
type Form = typeof forms extends fc.Arbitrary<infer T> ? T : never;

/** A request that the service understands, in any of the forms that HTTP has for it. */
const wellFormed: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.oneof(lists, badLists, creations, creations, badCreations, lookUps, elsewhere), forms)
  .map(([content, form]) => requestOf(content, form));

function requestOf({ created, contentType = 'application/json', ...content }: Content, form: Form): FuzzRequest {
  const { version, closes, requestId, fields } = form;
  const isHead = content.method === 'GET' && form.isHead;
  const needsKey = content.target.startsWith('/v1');
  const isRefused = needsKey && form.key !== 'KEY';
  const isChunked = form.isChunked && version === '1.1';
  const connection = [
    closes ? ['close'] : version === '1.0' ? ['keep-alive'] : [],
    form.hasUpgrade ? ['Upgrade'] : [],
  ].flat();
  const body = content.body === undefined ? undefined : Buffer.from(content.body).toString('latin1');
  const lines = [
    'Host: animals.example',
    ...(form.key === undefined ? [] : [`Authorization: ${form.key === 'KEY' ? 'Bearer KEY' : form.key}`]),
    ...(connection.length === 0 ? [] : [`Connection: ${connection.join(', ')}`]),
    ...(form.hasUpgrade ? ['Upgrade: h2c, websocket'] : []),
    ...(form.expect === undefined ? [] : [`Expect: ${form.expect}`]),
    ...(requestId === undefined ? [] : [`X-Request-Id: ${requestId}`]),
    ...(content.idempotencyKey === undefined ? [] : [`Idempotency-Key: ${content.idempotencyKey}`]),
    ...(body === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...(body === undefined ? [] : [isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`]),
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  const target = form.isAbsolute ? `http://animals.example${content.target}` : content.target;
  const head = `${isHead ? 'HEAD' : content.method} ${target} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`;
  return {
    bytes: head + (body === undefined ? '' : isChunked ? inChunks(body, form.chunks) : body),
    outcome: isRefused ? refusedWith(401, 'unauthorized') : content.outcome,
    isHead,
    requestId,
    isLast: closes || form.hasUpgrade || (form.expect === '100-continue' ? undefined : false),
    ...(created !== undefined && !isRefused && { created }),
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

/** Bytes that the server refuses. They end the connection. */
const malformed: fc.Arbitrary<FuzzRequest> = fc
  .constantFrom<[string, Outcome][]>(
    ['garbage\r\n\r\n', BAD_REQUEST],
    [`GET /v1/pets HTTP/1.1\r\n${HEAD}nonsense\r\n\r\n`, BAD_REQUEST],
    ['GET /v1/pets HTTP/1.1\r\n\r\n', BAD_REQUEST],
    [`GET /v1/pets HTTP/1.1\r\n${HEAD}Host: other.example\r\n\r\n`, BAD_REQUEST],
    [`${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, BAD_REQUEST],
    [`${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${BODY}\r\n0\r\n\r\n`, BAD_REQUEST],
    [`${POST.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, BAD_REQUEST],
    [`CONNECT animals.example:443 HTTP/1.1\r\n${HEAD}\r\n`, BAD_REQUEST],
    [`GET /v1/pets HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, TOO_LARGE],
    [`GET /v1/pets HTTP/1.1\r\n${HEAD}${'a:\r\n'.repeat(6000)}\r\n`, TOO_LARGE],
  )
  .map(([bytes, outcome]) => ({ bytes, outcome, isHead: false, requestId: undefined, isLast: true }));

/** What one connection sends. */
export interface FuzzConnection {
  readonly requests: readonly FuzzRequest[];
  /** Where the bytes are cut, as fractions of their length. */
  readonly cuts: readonly number[];
}

/** Requests of all shapes, pipelined in random order and cut at random places. */
export const connections: fc.Arbitrary<FuzzConnection> = fc.record({
  requests: fc.array(fc.oneof({ weight: 15, arbitrary: wellFormed }, { weight: 1, arbitrary: malformed }), {
    minLength: 1,
    maxLength: 12,
  }),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
});

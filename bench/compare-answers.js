import { isDeepStrictEqual } from 'node:util';
import { keyOf, wrongKeyOf } from './animals.js';
import { headersOf, SCENARIOS } from './scenarios.js';
import { startServer } from './server-process.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Header fields that Node adds, with time-outs and times in them. */
const FIELDS_OF_NODE = ['connection', 'date', 'keep-alive'];

const KEY = keyOf(0);

/** Of the requests of a scenario, each server is asked those at the multiples of this number. */
const STRIDE = 37;

/** What each server is asked: some of the requests that are measured, and those that show that it does the whole work. */
const REQUESTS = [
  ...SCENARIOS.flatMap(({ name, requests }) =>
    requests.flatMap((request, i) => (i % STRIDE === 0 ? [{ ...request, name: `${name}, request ${i + 1}` }] : [])),
  ),
  { name: 'three animals of a status', method: 'GET', path: '/v1/pets?limit=3&status=pending', key: KEY },
  { name: 'the last page', method: 'GET', path: '/v1/pets?limit=100&after=9950', key: KEY },
  {
    name: "a client's own request id",
    method: 'GET',
    path: '/v1/pets/1',
    key: KEY,
    headers: { 'X-Request-Id': 'a-1' },
  },
  { name: 'an animal that is not there', method: 'GET', path: '/v1/pets/1000000', key: KEY },
  { name: 'a limit out of range', method: 'GET', path: '/v1/pets?limit=101', key: KEY },
  { name: 'an unknown status', method: 'GET', path: '/v1/pets?status=lost', key: KEY },
  { name: 'a body without members', method: 'POST', path: '/v1/pets', key: KEY, body: '{}' },
  { name: 'a body that is not JSON', method: 'POST', path: '/v1/pets', key: KEY, body: '{' },
  {
    name: 'a large integer',
    method: 'POST',
    path: '/v1/pets',
    key: KEY,
    body: '{"name":"A","categoryId":9007199254740993}',
    isLarge: true,
  },
  { name: 'no API key', method: 'GET', path: '/v1/pets' },
  { name: 'a wrong API key', method: 'POST', path: '/v1/pets', key: wrongKeyOf(0), body: '{}' },
  { name: 'an unknown path', method: 'GET', path: '/v1/plants', key: KEY },
];

/**
 * Asks each server the same, and compares its answers with those of the first one, which is Animal Store.
 *
 * @param {readonly import('./subjects.js').Subject[]} subjects
 * @param {(name: string) => ReturnType<typeof startServer>} start Starts a server by its name.
 * @throws Error if answers differ in a way that is not allowed, or do not differ in one that is.
 */
export async function compareAnswers([ours, ...others], start = startServer) {
  const expected = await answersOf(ours, start);
  const complaints = [];
  for (const subject of others) {
    const answers = await answersOf(subject, start);
    const differences = new Set();
    REQUESTS.forEach(({ name, isLarge }, i) => {
      for (const [difference, text] of differencesOf(expected[i], answers[i])) {
        const kind = isLarge ? 'integers' : difference;
        differences.add(kind);
        if (!subject.differences.includes(kind)) complaints.push(`${subject.title}, ${name}: ${text}`);
      }
    });
    for (const kind of subject.differences) {
      if (!differences.has(kind)) complaints.push(`${subject.title}: no longer differs in "${kind}"`);
    }
  }
  if (complaints.length > 0) throw new Error(`the servers do not do the same:\n${complaints.join('\n')}`);
}

async function answersOf(subject, start) {
  const server = await start(subject.name);
  try {
    const answers = [];
    for (const request of REQUESTS) answers.push(await answerOf(server.origin, request));
    return answers;
  } finally {
    await server.stop();
  }
}

async function answerOf(origin, request) {
  const { method, path, body } = request;
  const response = await fetch(origin + path, { method, body, headers: headersOf(request) });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** Each difference between two answers: its kind, and what it is. */
function* differencesOf(expected, answer) {
  if (answer.status !== expected.status) yield ['status', `${answer.status} instead of ${expected.status}`];
  yield* differencesOfBodies(expected, answer);
  const own = fieldsOf(answer);
  const fields = fieldsOf(expected);
  for (const name of new Set([...Object.keys(fields), ...Object.keys(own)])) {
    if (own[name] !== fields[name]) yield ['headers', `${name}: ${own[name]} instead of ${fields[name]}`];
  }
  const isJson = answer.headers['content-type']?.startsWith('application/json');
  if (!isJson) yield ['media type', `Content-Type is ${answer.headers['content-type']}`];
}

function* differencesOfBodies(expected, answer) {
  const text = `${abridged(answer.text)} instead of ${abridged(expected.text)}`;
  if (answer.text === expected.text) return;
  const { message, ...error } = JSON.parse(expected.text);
  const { message: ownMessage, ...ownError } = JSON.parse(answer.text);
  if (expected.status < 400 || answer.status < 400) yield ['body', text];
  else if (!('code' in ownError)) yield ['form', text];
  else if (!isDeepStrictEqual(error, ownError)) yield ['body', text];
  else if (message !== ownMessage) yield ['messages', text];
}

function abridged(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The header fields of an answer that say something, with the variable ones replaced. */
function fieldsOf({ headers, status }) {
  const entries = Object.entries(headers).filter(([name]) => !FIELDS_OF_NODE.includes(name));
  const fields = Object.fromEntries(entries);
  if (status >= 400) delete fields['content-length'];
  if (UUID.test(fields['x-request-id'])) fields['x-request-id'] = 'a UUID';
  return fields;
}

import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createHttpInterface } from '../../src/adapters/http/http-interface.js';
import { requestError } from '../../src/adapters/http/server/rejections.js';
import { inMemory, KEY, SILENT } from '../support/in-memory-interface.js';

/** The greatest header section that the server takes, and twice the default limit of a body. */
const [HEADER, BODY] = [16_384, 131_072];
/** A character may cost this many times as much in a text that is 16 times as long: caches are smaller than a long text. */
const GROWTH_LIMIT = 5;
/** A machine that is busy otherwise makes some costs look higher than they are. A cost that is high each time counts. */
const ATTEMPTS = 8;
/** A time that the CPU clock measures accurately enough, in microseconds. */
const ENOUGH = 3000;

const { respond } = createHttpInterface(inMemory({ bodyLimit: BODY, corsOrigins: ['https://a.example'], log: SILENT }));
const OTHERS = ['Authorization', `Bearer ${KEY}`, 'Content-Type', 'application/json'];

async function ask(method: string, target: string, rawHeaders: readonly string[], body = '{}'): Promise<unknown> {
  return respond({ method, target, rawHeaders, mountPath: '', readBody: async () => Buffer.from(body) });
}

const get = async (target: string): Promise<unknown> => ask('GET', target, OTHERS);
const create = async (body: string): Promise<unknown> => ask('POST', '/v1/pets', OTHERS, body);
const field =
  (name: string, path = '/v1/pets') =>
  async (value: string): Promise<unknown> => {
    const others = OTHERS.filter((_, i) => OTHERS[i - (i % 2)] !== name);
    return ask(path === '/v1/pets' ? 'POST' : 'GET', path, [...others, name, value]);
  };

/** What reads a text of a client, and shapes of texts that may cost it most: a beginning, a piece to repeat, an end. */
const READERS: Readonly<
  Record<string, readonly [(text: string) => unknown, ...(readonly [string, string, string])[]]>
> = {
  'a target': [get, ['http://', 'http://', ''], ['/', '//', '#'], ['/v1/pets/', '9', ''], ['/', '%2F', '?']],
  'a query': [get, ['/v1/pets?', 'limit=1&', 'x'], ['/v1/pets?after=-', '9', ''], ['/v1/pets?', '%', '']],
  Authorization: [field('Authorization'), ['Bearer', ' ', '\n'], ['Bearer ', 'Bearer ', 'x'], ['', ' ', '']],
  'Content-Type': [
    field('Content-Type'),
    ['application/json', '; ', 'x'],
    ['application/json;a="', '\\"', ''],
    ['application/json', ';charset=utf-8', '"'],
  ],
  'Content-Length': [field('Content-Length'), ['', '9', ''], ['1e', '9', '_']],
  'Idempotency-Key': [field('Idempotency-Key'), ['"', '\\\\', ''], ['"', '\\"', '"'], ['', '!', '\0']],
  'X-Request-Id': [field('X-Request-Id'), ['a', '.', '!']],
  Origin: [field('Origin'), ['https://', '.', '/']],
  'Accept-Encoding': [field('Accept-Encoding', '/openapi.json'), ['gzip;q=', ' ;', ''], ['', 'gzip,', '=']],
  'If-None-Match': [field('If-None-Match', '/openapi.json'), ['"', '","', ''], ['', 'W/"a", ', '*']],
  Host: [
    (host) => requestError({ httpVersion: '1.1', rawHeaders: ['Host', host], headers: { host } } as IncomingMessage),
    ['[', ':', '@'],
    ['a', '%41', ']'],
  ],
  'names of fields': [
    async (text) => ask('GET', '/v1/pets', [...text.split('\n').flatMap((name) => [name, 'a']), ...OTHERS]),
    ['', 'X-Request-Id\n', ''],
    ['', 'a\n', 'Host'],
  ],
  'a body': [
    create,
    ['', '[', ''],
    ['', '{"a":', ''],
    ['{"name":"', '\\u0041', '"}'],
    ['{', '"__proto__":{},', '"a":1}'],
    ['{"categoryId":1', '0', 'e1}'],
    ['{"a":[', '1,', '01]}'],
    ['{"name":"', '\u0301', '"}'],
  ],
};

/** How many microseconds of user CPU time a character of a text costs. */
async function costOf(read: (text: string) => unknown, text: string): Promise<number> {
  for (let calls = 1; ; calls *= 4) {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) await read(text);
    const { user } = process.cpuUsage(before);
    if (user >= ENOUGH) return user / calls / text.length;
  }
}

describe('what a client sends costs in proportion to its length at worst', () => {
  for (const [what, [read, ...shapes]] of Object.entries(READERS)) {
    for (const [begin, piece, end] of shapes) {
      it(`${what}: ${JSON.stringify(begin)}, and ${JSON.stringify(piece)} again and again`, async () => {
        const largest = what === 'a body' ? BODY : HEADER;
        const textOf = (length: number): string => begin + piece.repeat(length / piece.length - 20) + end;
        const [small, large] = [textOf(largest / 16), textOf(largest)];
        let growth = Infinity;
        for (let i = 0; i < ATTEMPTS && growth > GROWTH_LIMIT; i++) {
          growth = Math.min(growth, (await costOf(read, large)) / (await costOf(read, small)));
        }
        expect(growth).to.be.at.most(GROWTH_LIMIT);
      });
    }
  }
});

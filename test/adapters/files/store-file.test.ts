import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { FileError } from '../../../src/adapters/files/lines.js';
import { recordsOf, storeFileOf } from '../../../src/adapters/files/store-file.js';
import type { StoreRecord } from '../../../src/application/transfer/store-record.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { allOf, chunksOf } from './chunks.js';

const RECORDS: readonly StoreRecord[] = [
  { kind: 'pet', pet: { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' }, idempotencyDigest: 'a'.repeat(64) },
  { kind: 'pet', pet: { id: 9007199254740993n, name: ' "\\\u0001\u2028😀e\u0301', categoryId: -9223372036854775808n } },
  { kind: 'pet', pet: { id: 9223372036854775807n, name: 'id', categoryId: 9223372036854775807n, status: 'available' } },
  { kind: 'apiKey', apiKey: { id: 'a', digest: 'b'.repeat(64), name: 'anna "o"', createdAt: new Date(0) } },
  {
    kind: 'apiKey',
    apiKey: {
      id: 'b',
      digest: 'c'.repeat(64),
      name: 'bob',
      createdAt: new Date(0),
      lifetimeMs: 3_153_600_000_000,
      expiresAt: new Date(1),
      revokedAt: new Date(2),
    },
  },
];

async function* given<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function fileOf(records: readonly StoreRecord[]): Promise<string> {
  return (await allOf(storeFileOf(given(records), new Date(0)))).join('');
}

async function errorOf(text: string): Promise<string> {
  const error = await rejectionOf(allOf(recordsOf(chunksOf(text))));
  expect(error).to.be.instanceOf(FileError);
  return (error as Error).message;
}

describe('the file of a store', () => {
  let text: string;

  before(async () => {
    text = await fileOf(RECORDS);
  });

  it('has a line for each record, between one that names the format and one that counts', () => {
    const sha256 = createHash('sha256')
      .update(text.replace(/\{"end".*\n$/, ''))
      .digest('hex');
    expect(text.split('\n')).to.deep.equal([
      '{"format":"animal-store","version":1,"exportedAt":"1970-01-01T00:00:00.000Z"}',
      `{"id":1,"name":"Rex","categoryId":7,"status":"sold","idempotencyDigest":"${'a'.repeat(64)}"}`,
      '{"id":9007199254740993,"name":" \\"\\\\\\u0001\u2028😀e\u0301","categoryId":-9223372036854775808}',
      '{"id":9223372036854775807,"name":"id","categoryId":9223372036854775807,"status":"available"}',
      `{"apiKey":"a","digest":"${'b'.repeat(64)}","name":"anna \\"o\\"","createdAt":"1970-01-01T00:00:00.000Z"}`,
      `{"apiKey":"b","digest":"${'c'.repeat(64)}","name":"bob","createdAt":"1970-01-01T00:00:00.000Z","lifetimeMs":3153600000000,"expiresAt":"1970-01-01T00:00:00.001Z","revokedAt":"1970-01-01T00:00:00.002Z"}`,
      `{"end":true,"pets":3,"apiKeys":2,"sha256":"${sha256}"}`,
      '',
    ]);
  });

  it('contains the same records when it is read, digit for digit and code unit for code unit', async () => {
    expect(await allOf(recordsOf(chunksOf(text)))).to.deep.equal(RECORDS);
    expect(await allOf(recordsOf(chunksOf(await fileOf([]))))).to.deep.equal([]);
  });

  it('of many records is made in parts, so that it need not fit into memory', async () => {
    const many = Array.from({ length: 5000 }, (_, i): StoreRecord => {
      return { kind: 'pet', pet: { id: BigInt(i + 1), name: `pet ${i}`, categoryId: 1n } };
    });
    const parts = await allOf(storeFileOf(given(many), new Date(0)));
    expect(await allOf(recordsOf(chunksOf(parts.join(''))))).to.deep.equal(many);
    expect(Math.max(...parts.map((part) => part.length))).to.be.lessThan(parts.join('').length / 2);
  });

  it('has no valid time where a number stands for one', async () => {
    const numbered = text.replace(/"createdAt":"[^"]+"/, '"createdAt":5');
    const times: string[] = [];
    const reading = (async () => {
      for await (const record of recordsOf(chunksOf(numbered))) {
        if (record.kind === 'apiKey') times.push(String(record.apiKey.createdAt));
      }
    })();
    expect(await rejectionOf(reading)).to.be.instanceOf(FileError);
    expect(times[0]).to.equal('Invalid Date');
  });

  it('is refused wherever it is cut short', async () => {
    const lines = text.trimEnd().split('\n');
    for (let count = 1; count < lines.length; count++) {
      const cut = `${lines.slice(0, count).join('\n')}\n`;
      expect(await errorOf(cut)).to.equal(`the file was cut short: after line ${count}, the last line is missing`);
    }
    expect(await errorOf(text.slice(0, 100))).to.match(/^line 2: is not well-formed JSON/);
    expect(await errorOf('')).to.equal('the file is empty');
  });

  const ALTERED = /^line 7: the file was altered: the SHA-256 of its lines is not the one in its last line$/;
  const altered: Readonly<Record<string, readonly [change: (text: string) => string, message: RegExp]>> = {
    'a digit': [(t) => t.replace('"categoryId":7', '"categoryId":8'), ALTERED],
    'the ends of its lines': [(t) => t.replaceAll('\n', '\r\n'), ALTERED],
    'a line twice': [(t) => t.replace(/(\{"id":1,.*\n)/, '$1$1'), /^line 8: the file was altered/],
    'no checksum': [(t) => t.replace(/,"sha256":"[^"]+"\}\n$/, '}'), ALTERED],
    'a line after the last': [(t) => `${t}{}\n`, /^line 8: follows the last line of the file$/],
    'a line that is no record': [(t) => t.replace('{"id":1,', '{"nr":1,'), /^line 2: is not a record of an export$/],
    'a line that is no object': [(t) => t.replace(/\{"id":1,.*\n/, '17\n'), /^line 2: is not a JSON object$/],
    'an empty line': [(t) => t.replace('\n', '\n\n'), /^line 2: is not well-formed JSON/],
    'the text of something else': [() => 'name,categoryId\nRex,7\n', /^line 1: is not the first line of an export/],
    'another format': [(t) => t.replace('animal-store', 'zoo'), /^line 1: is not the first line of an export/],
    'another version': [(t) => t.replace('"version":1', '"version":2'), /^line 1: has another version of the format/],
  };
  for (const [what, [change, message]] of Object.entries(altered)) {
    it(`is refused with ${what}`, async () => {
      expect(await errorOf(change(text))).to.match(message);
    });
  }
});

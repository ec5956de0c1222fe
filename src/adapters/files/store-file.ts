import { createHash } from 'node:crypto';
import type { StoreRecord } from '../../application/transfer/store-record.js';
import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import { makePet, type NewPet } from '../../domain/pet.js';
import { membersJson } from '../../lossless-json/members-json.js';
import { JsonError, parseJson } from '../../lossless-json/parse-json.js';
import { errorInLine, FileError, linesOf } from './lines.js';

const FORMAT = 'animal-store';
const VERSION = 1;

/** In characters. */
const TEXT_AT_ONCE = 65_536;

type Members = Readonly<Record<string, unknown>>;

/** The last line counts the records and has the SHA-256 of the lines before it: a reader can check that the file is complete. */
export async function* storeFileOf(
  records: AsyncIterable<StoreRecord>,
  exportedAt: Date,
): AsyncGenerator<string, void, undefined> {
  let [pets, apiKeys] = [0, 0];
  const sum = createHash('sha256');
  let text = `${JSON.stringify({ format: FORMAT, version: VERSION, exportedAt })}\n`;
  for await (const record of records) {
    if (record.kind === 'pet') {
      pets++;
      text += petLine(record);
    } else {
      apiKeys++;
      text += keyLine(record.apiKey);
    }
    if (text.length < TEXT_AT_ONCE) continue;
    sum.update(text);
    yield text;
    text = '';
  }
  const sha256 = sum.update(text).digest('hex');
  yield `${text}${JSON.stringify({ end: true, pets, apiKeys, sha256 })}\n`;
}

/**
 * Record n is on line n + 1. `restoreStore` checks their values. Rejects with a `FileError` if the file has another format or version,
 * if a line is not a record, and, after the last record, if the file was truncated or altered.
 */
export async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StoreRecord, void, undefined> {
  const sum = createHash('sha256');
  let line = 0;
  let isWhole = false;
  for await (const lines of linesOf(chunks)) {
    for (const { number, text, end } of lines) {
      line = number;
      if (isWhole) throw errorInLine(line, 'follows the last line of the file');
      const members = membersOf(text, line);
      if (line === 1) refuseOtherFormat(members);
      else if (members['end'] === true) {
        if (members['sha256'] !== sum.digest('hex')) {
          throw errorInLine(line, 'the file was altered: the SHA-256 of its lines is not the one in its last line');
        }
        isWhole = true;
        continue;
      } else {
        const record = recordOf(members);
        if (record === undefined) throw errorInLine(line, 'is not a record of an export');
        yield record;
      }
      sum.update(text + end);
    }
  }
  if (line === 0) throw new FileError('the file is empty');
  if (!isWhole) throw new FileError(`the file was cut short: after line ${line}, the last line is missing`);
}

export function isStoreFile(firstLine: string): boolean {
  return /^\{"format":\s*"animal-store"/.test(firstLine);
}

function petLine({ pet, idempotencyDigest }: Extract<StoreRecord, { kind: 'pet' }>): string {
  return `{"id":${pet.id},${membersJson(pet)}${idempotencyDigest === undefined ? '' : `,"idempotencyDigest":"${idempotencyDigest}"`}}\n`;
}

function keyLine({ id, digest, name, createdAt, lifetimeMs, expiresAt, revokedAt }: ApiKeyRecord): string {
  return `${JSON.stringify({ apiKey: id, digest, name, createdAt, lifetimeMs, expiresAt, revokedAt })}\n`;
}

function membersOf(text: string, line: number): Members {
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null) return value as Members;
    throw new JsonError('is not a JSON object');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw line === 1 ? notAnExport() : errorInLine(line, error.message, { cause: error });
  }
}

function notAnExport(): FileError {
  return errorInLine(1, 'is not the first line of an export of Animal Store; use import for a file of new animals');
}

function refuseOtherFormat({ format, version }: Members): void {
  if (format !== FORMAT) throw notAnExport();
  if (version !== BigInt(VERSION)) {
    throw errorInLine(
      1,
      `has another version of the format than ${VERSION}: use the Animal Store that wrote the file, or a newer one`,
    );
  }
}

/** Its values may have any type. */
function recordOf(members: Members): StoreRecord | undefined {
  const { id, apiKey, idempotencyDigest } = members;
  if (apiKey !== undefined) return { kind: 'apiKey', apiKey: keyOf(members) };
  if (id === undefined) return undefined;
  const pet = makePet(id as bigint, members as unknown as NewPet);
  return idempotencyDigest === undefined
    ? { kind: 'pet', pet }
    : { kind: 'pet', pet, idempotencyDigest: idempotencyDigest as string };
}

function keyOf({ apiKey, digest, name, createdAt, lifetimeMs, expiresAt, revokedAt }: Members): ApiKeyRecord {
  const record = {
    id: apiKey,
    digest,
    name,
    createdAt: timeOf(createdAt),
    ...(lifetimeMs !== undefined && { lifetimeMs: Number(lifetimeMs) }),
    ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: timeOf(revokedAt) }),
  };
  return record as ApiKeyRecord;
}

function timeOf(value: unknown): Date {
  return new Date(typeof value === 'string' ? value : Number.NaN);
}

import type { Collection } from 'mongodb';
import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../../domain/api-keys/api-keys.js';
import { AnimalStoreError, isAnimalStoreError } from '../../../domain/errors.js';
import { Attempts, type MongoObserver, runOperation } from '../operation.js';
import { isActive, type ApiKeyDocument } from './api-key-document.js';

/** The options of `MongoApiKeys`, each with a value. */
export interface VerifiedApiKeysOptions {
  readonly verifyDeadlineMs: number;
  readonly deadlineMs: number;
  readonly refreshAfterMs: number;
  readonly maxAgeMs: number;
  readonly maxSilenceMs: number;
  readonly maxKeys: number;
  readonly maxLookUps: number;
  readonly observe: MongoObserver | undefined;
}

type Answer = Promise<Principal | undefined>;

/** A key that the database has confirmed. Times are those of the monotonic clock, except for the expiry. */
interface VerifiedKey {
  readonly principal: Principal;
  readonly expiresAt: number;
  /** When the look-up that confirmed the key began. */
  readonly confirmedAt: number;
  /** The time from which a call waits for the database. It is put off each time that the database turns out to be silent. */
  waitFrom: number;
  /** The look-up under way that asks the database again. */
  refresh?: Answer | undefined;
}

/**
 * Looks keys up by their digests, and remembers those that the database has confirmed. Checks a key's expiry at each use, and
 * asks the database again every few seconds, while the key is in use, whether it is still active.
 *
 * A key has one look-up under way at a time. Calls share it, and it goes on when no call waits for it any more.
 */
export class VerifiedApiKeys {
  readonly #options: VerifiedApiKeysOptions;
  /** By the text of the digest; the key confirmed last comes last. */
  readonly #keys = new Map<string, VerifiedKey>();
  /** The look-ups of all other keys that are under way, by the text of the digest. */
  readonly #lookUps = new Map<string, Answer>();
  /** Those of remembered keys have queries of their own, so that they do not wait behind a flood of made-up ones. */
  readonly #queries: Readonly<Record<'remembered' | 'other', SharedQueries>>;

  constructor(keys: Collection<ApiKeyDocument>, options: VerifiedApiKeysOptions) {
    this.#options = options;
    this.#queries = { remembered: new SharedQueries(keys, options), other: new SharedQueries(keys, options) };
  }

  /** The principal of the key with this digest. Rejects if only the database can tell, and it does not answer in time. */
  async principalOf(digest: Buffer): Answer {
    const { refreshAfterMs, maxSilenceMs } = this.#options;
    const text = textOf(digest);
    const key = this.#keys.get(text);
    const now = performance.now();
    if (key === undefined || now >= key.confirmedAt + maxSilenceMs) return this.#inTime(this.#lookUp(digest, text));
    if (now < key.confirmedAt + refreshAfterMs) return principalIfUnexpired(key);
    key.refresh ??= this.#refresh(digest, key);
    return now < key.waitFrom ? principalIfUnexpired(key) : this.#lastAnswerIfSilent(key, this.#inTime(key.refresh));
  }

  /** Looks up a key that is not remembered, unless that is under way already. */
  #lookUp(digest: Buffer, text: string): Answer {
    const underWay = this.#lookUps.get(text);
    if (underWay !== undefined) return underWay;
    if (this.#lookUps.size >= this.#options.maxLookUps) {
      throw new AnimalStoreError('store_unavailable', 'too many API keys are being looked up');
    }
    const answer = this.#ask('other', digest).finally(() => this.#lookUps.delete(text));
    this.#lookUps.set(text, answer);
    return answer;
  }

  /** Looks up a remembered key again. If the database is silent, its last answer goes on being used. */
  #refresh(digest: Buffer, key: VerifiedKey): Answer {
    const answer = this.#lastAnswerIfSilent(key, this.#ask('remembered', digest));
    const refresh = answer.finally(() => (key.refresh = undefined));
    // If no call waits, nobody sees an error of the database. The next call that waits asks again.
    refresh.catch(() => undefined);
    return refresh;
  }

  /** The database's answer about a remembered key; its last one if it is silent, and then no call waits for some time. */
  async #lastAnswerIfSilent(key: VerifiedKey, answer: Answer): Answer {
    try {
      return await answer;
    } catch (error) {
      if (!isAnimalStoreError(error)) throw error;
      key.waitFrom = performance.now() + this.#options.maxAgeMs;
      return principalIfUnexpired(key);
    }
  }

  /** The same answer, but rejects with `store_unavailable` if it takes longer than a call waits. It then still counts. */
  async #inTime(answer: Answer): Answer {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const tell = (): void =>
        reject(new AnimalStoreError('store_unavailable', 'the API key was not verified in time'));
      timer = setTimeout(tell, this.#options.verifyDeadlineMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks the database about a key, and remembers the answer, however late it is. */
  async #ask(which: 'remembered' | 'other', digest: Buffer): Answer {
    const { maxAgeMs, maxKeys } = this.#options;
    const confirmedAt = performance.now();
    const document = await this.#queries[which].find(digest);
    const text = textOf(digest);
    this.#keys.delete(text);
    if (document === undefined || !isActive(document)) return undefined;
    const principal = Object.freeze({ name: document.name });
    const expiresAt = document.expiresAt?.getTime() ?? Infinity;
    this.#keys.set(text, { principal, expiresAt, confirmedAt, waitFrom: confirmedAt + maxAgeMs });
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > maxKeys && oldest !== undefined) this.#keys.delete(oldest);
    return principal;
  }
}

const QUERIES_AT_ONCE = 4;

/** Digests that share one query, and the keys that it finds, each by the text of the digest. */
interface Batch {
  readonly digests: Map<string, Buffer>;
  readonly found: Promise<ReadonlyMap<string, ApiKeyDocument>>;
}

/**
 * Finds keys by their digests, with at most four queries at once. Digests that arrive meanwhile share the next query. So a
 * flood of made-up keys costs the database four indexed queries at a time, whatever its size, and a connection that goes dead
 * holds up only the keys of its own query, until that is tried again on another one.
 */
class SharedQueries {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #options: { readonly deadlineMs: number; readonly observe: MongoObserver | undefined };
  readonly #attempts = new Attempts();
  readonly #underWay = new Set<Promise<unknown>>();
  #next: Batch | undefined;

  constructor(keys: Collection<ApiKeyDocument>, options: VerifiedApiKeysOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  /** Resolves to the key, as the database has it after this call. Rejects with `store_unavailable` if it does not answer. */
  async find(digest: Buffer): Promise<ApiKeyDocument | undefined> {
    const digests = new Map<string, Buffer>();
    const batch = (this.#next ??= { digests, found: this.#findAll(digests) });
    const text = textOf(digest);
    batch.digests.set(text, digest);
    const found = (await batch.found).get(text);
    return found !== undefined && timingSafeEqual(found.digest, digest) ? found : undefined;
  }

  /** Waits until another query may start, and finds those that the batch has by then. */
  async #findAll(digests: Batch['digests']): Batch['found'] {
    try {
      // Digests of the same moment share a query.
      await Promise.resolve();
      // If a query under way rejects, this does, too: the database would not answer the next one either.
      while (this.#underWay.size === QUERIES_AT_ONCE) await Promise.race(this.#underWay);
    } finally {
      this.#next = undefined;
    }
    const query = this.#query([...digests.values()]).finally(() => this.#underWay.delete(query));
    this.#underWay.add(query);
    return new Map((await query).map((document) => [textOf(document.digest), document]));
  }

  async #query(digests: Buffer[]): Promise<ApiKeyDocument[]> {
    const { deadlineMs, observe } = this.#options;
    const count = digests.length;
    return this.#attempts.run(deadlineMs, async (limitMs) =>
      runOperation({ name: 'keys.look_up', count }, { deadlineMs: limitMs, observe }, async (limits) =>
        this.#keys
          .find(
            { digest: { $in: digests } },
            { limit: count, batchSize: count, singleBatch: true, ...limits.startCall() },
          )
          .toArray(),
      ),
    );
  }
}

function textOf(digest: Buffer): string {
  return digest.toString('base64');
}

function principalIfUnexpired({ principal, expiresAt }: VerifiedKey): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}

import { Buffer } from 'node:buffer';
import { hash, timingSafeEqual } from 'node:crypto';

const CREDENTIALS = /^bearer +(\S.*)$/i;

/** Checks keys as Animal Store does: finds them by their SHA-256, and compares that in constant time. */
export class ApiKeys {
  #digests = new Map();
  #presented = Buffer.alloc(32);

  /** @param {readonly string[]} keys */
  constructor(keys) {
    for (const key of keys) this.#digests.set(digestOf(key), Buffer.from(digestOf(key), 'binary'));
  }

  /**
   * Judges an `Authorization` header field.
   *
   * @param {string | undefined} authorization
   * @returns {'valid' | 'invalid' | 'missing'}
   */
  judge(authorization) {
    const key = CREDENTIALS.exec(authorization ?? '')?.[1];
    if (key === undefined) return 'missing';
    const digest = digestOf(key);
    const known = this.#digests.get(digest);
    if (known === undefined) return 'invalid';
    this.#presented.write(digest, 'binary');
    return timingSafeEqual(known, this.#presented) ? 'valid' : 'invalid';
  }
}

function digestOf(key) {
  return hash('sha256', key, 'binary');
}

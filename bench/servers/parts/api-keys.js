import { hash, timingSafeEqual } from 'node:crypto';

const CREDENTIALS = /^bearer +(\S.*)$/i;

/** Checks keys as Animal Store does: by their SHA-256, in constant time. */
export class ApiKeys {
  #digests;

  /** @param {readonly string[]} keys */
  constructor(keys) {
    this.#digests = keys.map(digestOf);
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
    let isValid = false;
    for (const known of this.#digests) if (timingSafeEqual(known, digest)) isValid = true;
    return isValid ? 'valid' : 'invalid';
  }
}

function digestOf(key) {
  return hash('sha256', key, 'buffer');
}

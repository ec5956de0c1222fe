import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

const ITERATIONS = 4096;
const KEY_BYTES = 32;

/** The server's side of a login by SCRAM-SHA-256 (RFC 5802, RFC 7677). */
export class ScramServer {
  readonly #passwordOf: (user: string) => string | undefined;
  readonly #salt = randomBytes(16);
  #password: string | undefined;
  #first = '';
  /** The user of the first message. */
  user = '';

  constructor(passwordOf: (user: string) => string | undefined) {
    this.#passwordOf = passwordOf;
  }

  /** Answers the client's first message, `n,,n=user,r=nonce`. */
  start(message: string): string {
    const bare = message.replace(/^n,,/, '');
    const [, user = '', nonce = ''] = /^n=([^,]*),r=([^,]+)$/.exec(bare) ?? [];
    this.user = user.replaceAll('=2C', ',').replaceAll('=3D', '=');
    this.#password = this.#passwordOf(this.user);
    const answer = `r=${nonce}${randomBytes(18).toString('base64')},s=${this.#salt.toString('base64')},i=${ITERATIONS}`;
    this.#first = `${bare},${answer}`;
    return answer;
  }

  /** Answers the client's last message, `c=biws,r=nonce,p=proof`; `undefined` if it does not prove that it knows the password. */
  finish(message: string): string | undefined {
    const [, withoutProof = '', proof = ''] = /^(.*),p=([^,]+)$/.exec(message) ?? [];
    if (this.#password === undefined) return undefined;
    const salted = pbkdf2Sync(this.#password, this.#salt, ITERATIONS, KEY_BYTES, 'sha256');
    const signed = `${this.#first},${withoutProof}`;
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash('sha256').update(clientKey).digest(), signed);
    const expected = Buffer.from(clientKey.map((byte, i) => byte ^ (signature[i] ?? 0)));
    const given = Buffer.from(proof, 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return `v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`;
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

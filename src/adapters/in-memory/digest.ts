import { sha256Of } from '../../application/sha256.js';

/** The global `process`, which browsers and some workers lack. */
const { process } = globalThis as { readonly process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule'>> };

/**
 * Node's own cryptography, which Bun, Deno and some workers have too. It is not imported, because bundlers for browsers cannot
 * resolve it.
 */
const nodeCrypto = process?.getBuiltinModule?.('node:crypto');

/** Throws if this runtime has no SHA-256: browsers provide it only to pages over HTTPS or on `localhost`. */
export function needSha256(): void {
  if (nodeCrypto === undefined && (crypto as Partial<typeof crypto>).subtle === undefined)
    throw new Error(
      'InMemoryApiKeys needs SHA-256: node:crypto, or crypto.subtle, which browsers provide only to pages over HTTPS or on localhost',
    );
}

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  return nodeCrypto?.hash('sha256', text) ?? sha256Of(text);
}

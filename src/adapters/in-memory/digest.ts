import { KEY_RANDOM_BYTES } from '../../domain/api-keys/api-key.js';

/** The global `process`, which browsers and some workers lack. */
const { process } = globalThis as { readonly process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule'>> };

/**
 * Node's own cryptography, which Bun, Deno and some workers have too. It is not imported, because bundlers for browsers cannot
 * resolve it.
 */
const nodeCrypto = process?.getBuiltinModule?.('node:crypto');

/** Throws if this runtime has no SHA-256: browsers have it for pages over HTTPS and on `localhost` only. */
export function needSha256(): void {
  if (nodeCrypto === undefined && (crypto as Partial<typeof crypto>).subtle === undefined)
    throw new Error(
      'InMemoryApiKeys needs SHA-256: node:crypto, or crypto.subtle, which browsers give to secure pages only',
    );
}

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  if (nodeCrypto !== undefined) return nodeCrypto.hash('sha256', text);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Random bytes for a new key. */
export function randomKeyBytes(): Uint8Array {
  return nodeCrypto?.randomBytes(KEY_RANDOM_BYTES) ?? crypto.getRandomValues(new Uint8Array(KEY_RANDOM_BYTES));
}

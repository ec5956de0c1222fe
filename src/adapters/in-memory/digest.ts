import { sha256Of } from '../../domain/sha256.js';

/**
 * Bun, Deno and some workers have it, too. It is not imported, because bundlers for browsers cannot resolve it. Other runtimes have no
 * `process`, or no `getBuiltinModule`; in the edge runtime of Next.js, which has no versions, it throws.
 */
function nodeCrypto(): typeof import('node:crypto') | undefined {
  const { process } = globalThis as {
    readonly process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule' | 'versions'>>;
  };
  return process?.versions === undefined ? undefined : process.getBuiltinModule?.('node:crypto');
}

/** Browsers provide SHA-256 only to pages over HTTPS or on `localhost`. */
export function needSha256(): void {
  if (nodeCrypto() === undefined && (crypto as Partial<typeof crypto>).subtle === undefined)
    throw new Error(
      'the in-memory adapters need SHA-256: node:crypto, or crypto.subtle, which browsers provide only to pages over HTTPS or on localhost',
    );
}

/** In hexadecimal digits. A promise only if the runtime computes it asynchronously. */
export function sha256(text: string): string | Promise<string> {
  needSha256();
  return nodeCrypto()?.hash('sha256', text) ?? sha256Of(text);
}

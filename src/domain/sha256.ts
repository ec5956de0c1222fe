/**
 * The SHA-256 of a text in UTF-8, in 64 lower-case hexadecimal digits, by Web Crypto. Every runtime has Web Crypto, but browsers
 * provide it only to pages over HTTPS or on `localhost`, and the environment jsdom of test runners lacks it.
 */
export async function sha256Of(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

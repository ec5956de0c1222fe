/** The default base path. */
export const DEFAULT_BASE_PATH = '/v1';

const BASE_PATH = /^(?:\/(?!\.{1,2}\/)[A-Za-z0-9._~-]+)*\/v1$/;

/** Whether a text can be the base path: segments of unreserved characters (RFC 3986, section 2.3), the last one `v1`. */
export function isBasePath(path: string): boolean {
  return BASE_PATH.test(path);
}

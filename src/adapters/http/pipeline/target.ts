export interface Target {
  /** As sent. It starts with `/`, or is `*`. */
  readonly path: string;
  /** As sent, without the question mark; empty if there is none. */
  readonly query: string;
}

const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]+/i;

/** RFC 9112, section 3.2. Drops the authority, because the server answers under any name. No client may send a fragment. */
export function parseTarget(target: string): Target | undefined {
  if (target.includes('#')) return undefined;
  const rest = target.startsWith('/') ? target : target.replace(SCHEME_AND_AUTHORITY, '');
  const mark = rest.indexOf('?');
  const path = mark < 0 ? rest : rest.slice(0, mark);
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (path.startsWith('/') || target === '*') return { path, query };
  return rest === target ? undefined : { path: '/', query };
}

/** A rewrite looks like a mount: if an application around the interface rewrites `/home` to `/`, this returns `/home`. */
export function mountPathOf(originalTarget: string, target: string): string {
  if (originalTarget === target) return '';
  const original = parseTarget(originalTarget)?.path ?? '';
  const path = parseTarget(target)?.path ?? '';
  // So arrives a request for the mount path itself.
  if (path === '/' && !original.endsWith('/')) return original;
  return original.endsWith(path) ? original.slice(0, original.length - path.length) : '';
}

export function isUnder(prefix: string, path: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

export const DEFAULT_BASE_PATH = '/v1';

const BASE_PATH = /^(?:\/(?!\.{1,2}\/)[A-Za-z0-9._~-]+)*\/v1$/;

/** Segments of unreserved characters (RFC 3986, section 2.3), the last one `v1`. */
export function isBasePath(path: string): boolean {
  return BASE_PATH.test(path);
}

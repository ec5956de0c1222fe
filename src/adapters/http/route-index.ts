const PARAMETER = /:\w+$/;

/**
 * Finds what stands for a method and a path, in constant time. In a path the last segment may be a parameter, `:name`,
 * which any one segment fills that is not empty. A path without a parameter comes before one with a parameter.
 */
export class RouteIndex<T> {
  readonly #entries = new Map<string, T>();
  readonly #methods = new Map<string, string[]>();

  /** @throws TypeError for a parameter before the last segment, and for a method and a path that stand here already. */
  add(method: string, path: string, value: T): void {
    const pattern = path.replace(PARAMETER, ':');
    if (pattern.slice(0, -1).includes(':')) throw new TypeError(`${path}: only the last segment can be a parameter`);
    const key = `${method} ${pattern}`;
    if (this.#entries.has(key)) throw new TypeError(`${method} ${path} stands in the index already`);
    this.#entries.set(key, value);
    this.#methods.set(pattern, [...(this.#methods.get(pattern) ?? []), method].sort());
  }

  /** What stands for a request's method and path; `undefined` if nothing does. */
  find(method: string, path: string): T | undefined {
    const exact = this.#entries.get(`${method} ${path}`);
    if (exact !== undefined && !path.endsWith(':')) return exact;
    const pattern = patternOf(path);
    return pattern === undefined ? undefined : this.#entries.get(`${method} ${pattern}`);
  }

  /** The methods that a request's path has, in alphabetical order; none if the path is unknown. */
  methodsOf(path: string): readonly string[] {
    const pattern = patternOf(path) ?? '';
    const exact = path.endsWith(':') ? [] : (this.#methods.get(path) ?? []);
    return [...new Set([...exact, ...(this.#methods.get(pattern) ?? [])])].sort();
  }
}

/** The path with a parameter in place of its last segment; `undefined` if that is empty. */
function patternOf(path: string): string | undefined {
  const start = path.lastIndexOf('/') + 1;
  return start < path.length ? `${path.slice(0, start)}:` : undefined;
}

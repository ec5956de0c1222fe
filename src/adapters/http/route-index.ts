const PARAMETER = /:\w+$/;

/** What stands for the methods of a path. */
type Entries<T> = Map<string, T>;

/**
 * Finds what stands for a method and a path, in constant time. In a path the last segment may be a parameter, `:name`,
 * which any one segment fills that is not empty. A path without a parameter comes before one with a parameter.
 */
export class RouteIndex<T> {
  /** By path. */
  readonly #exact = new Map<string, Entries<T>>();
  /** By path up to its parameter: `/pets/`. */
  readonly #parameterised = new Map<string, Entries<T>>();

  /** @throws TypeError for a parameter before the last segment, and for a method and a path that stand here already. */
  add(method: string, path: string, value: T): void {
    const start = path.replace(PARAMETER, '');
    if (start.includes(':')) throw new TypeError(`${path}: only the last segment can be a parameter`);
    const index = start === path ? this.#exact : this.#parameterised;
    const entries = index.get(start) ?? new Map<string, T>();
    if (entries.has(method)) throw new TypeError(`${method} ${path} stands in the index already`);
    index.set(start, entries.set(method, value));
  }

  /** What stands for a request's method and path; `undefined` if nothing does. */
  find(method: string, path: string): T | undefined {
    return this.#exact.get(path)?.get(method) ?? this.#withParameter(path)?.get(method);
  }

  /** The methods that a request's path has, in alphabetical order; none if the path is unknown. */
  methodsOf(path: string): readonly string[] {
    const exact = this.#exact.get(path)?.keys() ?? [];
    return [...new Set([...exact, ...(this.#withParameter(path)?.keys() ?? [])])].sort();
  }

  /** The entries of the path whose parameter the last segment of this one fills. */
  #withParameter(path: string): Entries<T> | undefined {
    const start = path.lastIndexOf('/') + 1;
    return start < path.length ? this.#parameterised.get(path.slice(0, start)) : undefined;
  }
}

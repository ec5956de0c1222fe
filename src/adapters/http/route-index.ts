const PARAMETER = /:\w+$/;

/** The values of a path, by method. */
type Entries<T> = Map<string, T>;

/**
 * Finds the value for a method and a path in constant time. The last segment of a path may be a parameter, `:name`, which
 * matches any non-empty segment. A path without a parameter takes precedence.
 */
export class RouteIndex<T> {
  /** By path. */
  readonly #exact = new Map<string, Entries<T>>();
  /** By path up to its parameter: `/pets/`. */
  readonly #parameterised = new Map<string, Entries<T>>();

  /** @throws TypeError for a parameter before the last segment, and for a method and path that are in the index already. */
  add(method: string, path: string, value: T): void {
    const start = path.replace(PARAMETER, '');
    if (start.includes(':')) throw new TypeError(`${path}: only the last segment can be a parameter`);
    const index = start === path ? this.#exact : this.#parameterised;
    const entries = index.get(start) ?? new Map<string, T>();
    if (entries.has(method)) throw new TypeError(`${method} ${path} is in the index already`);
    index.set(start, entries.set(method, value));
  }

  /** The value for a request's method and path; `undefined` if there is none. */
  find(method: string, path: string): T | undefined {
    return this.#exact.get(path)?.get(method) ?? this.#withParameter(path)?.get(method);
  }

  /** The methods of a request's path, in alphabetical order; none if the path is unknown. */
  methodsOf(path: string): readonly string[] {
    const exact = this.#exact.get(path)?.keys() ?? [];
    return [...new Set([...exact, ...(this.#withParameter(path)?.keys() ?? [])])].sort();
  }

  /** The entries of the path whose parameter matches the last segment of this one. */
  #withParameter(path: string): Entries<T> | undefined {
    const start = path.lastIndexOf('/') + 1;
    return start < path.length ? this.#parameterised.get(path.slice(0, start)) : undefined;
  }
}

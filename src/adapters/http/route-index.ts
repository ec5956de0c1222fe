import type { HttpHandler } from './operation.js';

/** A method and a path that the interface answers. `HEAD` is answered wherever `GET` is. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path. A last segment `:name` stands for any non-empty segment. */
  readonly path: string;
  /** Answers a request for this method and path. */
  readonly answer: HttpHandler;
}

const PARAMETER = /:\w+$/;

/** The handlers of a path, by method. */
type Handlers = Map<string, HttpHandler>;

/** Finds the handler of a request in constant time. A path without a parameter takes precedence over one with a parameter. */
export class RouteIndex {
  /** By path. */
  readonly #exact = new Map<string, Handlers>();
  /** By path up to its parameter: `/pets/`. */
  readonly #parameterised = new Map<string, Handlers>();

  constructor(routes: readonly Route[]) {
    for (const { method, path, answer } of routes) {
      const start = path.replace(PARAMETER, '');
      const index = start === path ? this.#exact : this.#parameterised;
      const handlers = index.get(start) ?? new Map<string, HttpHandler>();
      index.set(start, handlers.set(method, answer));
      if (method === 'GET') handlers.set('HEAD', answer);
    }
  }

  /** The handler for a request's method and path; `undefined` if there is none. */
  find(method: string, path: string): HttpHandler | undefined {
    return this.#handlersOf(path)?.get(method);
  }

  /** The methods of a request's path, in the order of its routes; none if the path is unknown. */
  methodsOf(path: string): readonly string[] {
    return [...(this.#handlersOf(path)?.keys() ?? [])];
  }

  #handlersOf(path: string): Handlers | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    const start = path.lastIndexOf('/') + 1;
    return start < path.length ? this.#parameterised.get(path.slice(0, start)) : undefined;
  }
}

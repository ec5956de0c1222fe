import type { Operation } from './operation.js';

const PARAMETER = /:\w+$/;

/** Finds routes in constant time. A path without a parameter takes precedence. `HEAD` is answered wherever `GET` is. */
export class RouteIndex<Route extends Pick<Operation, 'method' | 'path'>> {
  readonly #exact = new Map<string, Map<string, Route>>();
  /** By path up to its parameter (`/pets/`), then by method. */
  readonly #parameterised = new Map<string, Map<string, Route>>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const start = route.path.replace(PARAMETER, '');
      const index = start === route.path ? this.#exact : this.#parameterised;
      const byMethod = index.get(start) ?? new Map<string, Route>();
      index.set(start, byMethod.set(route.method, route));
      if (route.method === 'GET') byMethod.set('HEAD', route);
    }
  }

  find(method: string, path: string): Route | undefined {
    return this.#routesOf(path)?.get(method);
  }

  methodsOf(path: string): readonly string[] {
    return [...(this.#routesOf(path)?.keys() ?? [])];
  }

  #routesOf(path: string): Map<string, Route> | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    const start = path.lastIndexOf('/') + 1;
    return start < path.length ? this.#parameterised.get(path.slice(0, start)) : undefined;
  }
}

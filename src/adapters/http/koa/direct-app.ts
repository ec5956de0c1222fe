import Koa, { type Middleware } from 'koa';
import type { Listener } from '../node/listener.js';

/** Bypasses Koa's context, router and response, which cost more than the operation, unless somebody has added or wrapped middleware. */
export class DirectApp extends Koa {
  readonly #listener: Listener;
  readonly #own: readonly Middleware[];

  constructor(listener: Listener, middleware: readonly Middleware[]) {
    super();
    this.#listener = listener;
    this.#own = middleware;
    for (const each of middleware) this.use(each);
  }

  override callback(): ReturnType<Koa['callback']> {
    const runMiddleware = super.callback();
    return (request, response) => {
      // Behind a trusted proxy, Koa reports a different client address.
      const isWhole = !this.proxy && this.#isUnchanged();
      // The requests of an HTTP/2 server have another class.
      return isWhole && !('stream' in request)
        ? this.#listener(request, response as Parameters<Listener>[1])
        : runMiddleware(request, response);
    };
  }

  #isUnchanged(): boolean {
    const { middleware } = this;
    return middleware.length === this.#own.length && this.#own.every((each, i) => each === middleware[i]);
  }
}

import Koa, { type Middleware } from 'koa';
import type { Listener } from '../node/listener.js';

/**
 * A Koa application with a shortcut past Koa's context, router and response, which together cost more than the operation itself.
 * If it is the whole application, and nobody has added middleware or wrapped its own, its callback passes each request to a
 * listener that gives the same responses. Otherwise, Koa runs the middleware.
 */
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

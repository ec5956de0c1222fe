import type { HttpInterfaceOptions } from '../http-interface-options.js';
import { createHttpInterface } from '../http-interface.js';
import { httpRequestOf } from './fetch-request.js';

/**
 * Options of {@link createFetchHandler}.
 *
 * @typeParam Context What the runtime passes to a handler after the request.
 */
export interface FetchHandlerOptions<Context extends readonly unknown[] = []> extends HttpInterfaceOptions {
  /**
   * The path at which a larger application mounts the handler: a slash and segments, without a trailing slash. The handler
   * serves requests at and below this path, whether or not the application has removed it from their URLs.
   * @default '' (not mounted)
   */
  readonly mountPath?: string | undefined;
  /**
   * Returns the address that the connection of a request comes from. Only the runtime knows it: Deno and Bun pass it to the
   * handler after the request. Called only for `onResponse`.
   * @default none: the address is not known
   * @example
   * Deno.serve(createFetchHandler({ store, apiKeys, remoteAddress: (request, info) => info.remoteAddr.hostname }));
   */
  readonly remoteAddress?: ((request: Request, ...context: Context) => string | undefined) | undefined;
}

/** Without this member, Cloudflare's workers would compress a body that is compressed already. */
interface ManualResponseInit extends ResponseInit {
  readonly encodeBody: 'manual';
}

/**
 * Creates a handler that serves an animal store over the Fetch API: for Hono, Bun, Deno, Next.js, workers. The handler never
 * rejects.
 *
 * @throws TypeError for an invalid option, such as a base path, a body limit or a mount path.
 * @example
 * Deno.serve(createFetchHandler({ store, apiKeys }));
 */
export function createFetchHandler<Context extends readonly unknown[] = []>({
  mountPath = '',
  remoteAddress = () => undefined,
  ...options
}: FetchHandlerOptions<Context>): (request: Request, ...context: Context) => Promise<Response> {
  if (!/^(?:\/[^/?#]+)*$/.test(mountPath)) throw new TypeError('mountPath must be empty, or a path like /shop');
  const { respond } = createHttpInterface(options);
  return async (request, ...context) => {
    const { status, headers, body } = await respond(
      httpRequestOf(request, mountPath, () => remoteAddress(request, ...context)),
    );
    const fields = new Headers();
    for (let i = 0; i < headers.length; i += 2) fields.append(headers[i] as string, headers[i + 1] as string);
    const init: ManualResponseInit = { status, headers: fields, encodeBody: 'manual' };
    return new Response(request.method === 'HEAD' || body.length === 0 ? null : body, init);
  };
}

import { bodyIncomplete, bodyReadBefore, bodyTooLarge } from '../pipeline/errors.js';
import type { HttpRequest } from '../pipeline/http-request.js';
import { isUnder } from '../pipeline/target.js';

export function httpRequestOf(
  request: Request,
  mountPath: string,
  remoteAddress: () => string | undefined,
): HttpRequest {
  const { pathname: path, search } = new URL(request.url);
  return {
    method: request.method,
    target: (isUnder(mountPath, path) ? path.slice(mountPath.length) || '/' : path) + search,
    rawHeaders: rawHeadersOf(request.headers),
    mountPath,
    get remoteAddress() {
      return remoteAddress();
    },
    get signal() {
      return request.signal;
    },
    readBody: async (limit) => readBody(request, limit),
  };
}

/** `Headers` joins repeated fields with commas. No API key contains one (RFC 6750, section 2.1), so it shows a repeated `Authorization`. */
function rawHeadersOf(headers: Headers): string[] {
  const fields: string[] = [];
  headers.forEach((value, name) => {
    for (const each of name === 'authorization' ? value.split(',') : [value]) fields.push(name, each);
  });
  return fields;
}

// Not by `Content-Length`: an application may have replaced the body, by a decompressed one for example.
// Some runtimes have no `body`, and others cannot iterate over a stream.
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const body = request.body as ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;
  if (body === null) return new Uint8Array();
  if (request.bodyUsed || body?.locked === true) throw bodyReadBefore();
  if (body === undefined) {
    const whole = new Uint8Array(await request.arrayBuffer().catch(rethrowAsIncomplete));
    if (whole.length > limit) throw bodyTooLarge(limit);
    return whole;
  }
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(rethrowAsIncomplete);
    if (done)
      return chunks.length === 1 ? (chunks[0] as Uint8Array) : new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > limit) {
      // Nobody needs a body that cannot be cancelled.
      reader.cancel().catch(() => undefined);
      throw bodyTooLarge(limit);
    }
    chunks.push(value);
  }
}

function rethrowAsIncomplete(error: unknown): never {
  throw bodyIncomplete(error);
}

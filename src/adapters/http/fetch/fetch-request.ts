import { bodyIncomplete, bodyReadBefore, bodyTooLarge } from '../errors.js';
import type { HttpRequest } from '../request.js';
import { isUnder } from '../target.js';

/** Converts a request of the Fetch API. Removes the path at which the handler is mounted. */
export function httpRequestOf(request: Request, mountPath: string, remoteAddress?: string): HttpRequest {
  const { pathname: path, search } = new URL(request.url);
  return {
    method: request.method,
    path: isUnder(mountPath, path) ? path.slice(mountPath.length) || '/' : path,
    query: search.slice(1),
    rawHeaders: rawHeadersOf(request.headers),
    mountPath,
    remoteAddress,
    get signal() {
      return request.signal;
    },
    readBody: async (limit) => readBody(request, limit),
  };
}

/**
 * The header fields as they were sent. `Headers` joins fields of one name with commas. An API key contains no comma (RFC 6750,
 * section 2.1), so a comma in `Authorization` means that the field was sent twice.
 */
function rawHeadersOf(headers: Headers): string[] {
  const fields: string[] = [];
  headers.forEach((value, name) => {
    for (const each of name === 'authorization' ? value.split(',') : [value]) fields.push(name, each);
  });
  return fields;
}

/**
 * Reads a whole body chunk by chunk, and cancels it once it is larger than the limit. Does not rely on `Content-Length`: an
 * application may have replaced the body, by a decompressed one for example.
 */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const { body, bodyUsed } = request;
  if (body === null) return new Uint8Array();
  if (bodyUsed || body.locked) throw bodyReadBefore();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop cancels the body.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch {
    // The runtime has its own error for a body that ends early.
    throw bodyIncomplete();
  }
  if (size > limit) throw bodyTooLarge(limit);
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const body = new Uint8Array(size);
  let start = 0;
  for (const chunk of chunks) {
    body.set(chunk, start);
    start += chunk.length;
  }
  return body;
}

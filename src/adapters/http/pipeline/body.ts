import { refuseOtherMedia } from './media-type.js';
import { bodyTooLarge } from './errors.js';
import { fieldOf } from './header-fields.js';
import type { HttpRequest } from './http-request.js';

/**
 * Reads the body of a request. If the client waits for a 100 before it sends the body, refuses a body of another media type
 * before.
 *
 * @param limit The maximum size, in bytes.
 * @throws HttpError `body_too_large`, or `unsupported_media_type` before the body was read.
 */
export async function readBody(request: HttpRequest, limit: number): Promise<Uint8Array> {
  const { rawHeaders } = request;
  // NaN if the length is not known.
  const length = Number(String(fieldOf(rawHeaders, 'content-length')));
  if (length > limit) throw bodyTooLarge(limit);
  const hasBody = length > 0 || fieldOf(rawHeaders, 'transfer-encoding') !== undefined;
  if (hasBody && fieldOf(rawHeaders, 'expect') !== undefined) refuseOtherMedia(rawHeaders);
  return await request.readBody(limit);
}

import { bodyTooLarge } from './errors.js';
import { fieldOf } from './header-fields.js';
import type { HttpRequest } from './http-request.js';
import { refuseOtherMedia } from './media-type.js';

/** Checks the media type early if the length is known or the client waits for a 100; otherwise after the body, so that 413 comes first. */
export async function readBody(request: HttpRequest, limit: number): Promise<Uint8Array> {
  const { rawHeaders } = request;
  const length = Number(String(fieldOf(rawHeaders, 'content-length')));
  if (length > limit) throw bodyTooLarge(limit);
  const isEarly =
    length > 0 ||
    (fieldOf(rawHeaders, 'transfer-encoding') !== undefined && fieldOf(rawHeaders, 'expect') !== undefined);
  if (isEarly) refuseOtherMedia(rawHeaders);
  const body = await request.readBody(limit);
  if (body.length > 0 && !isEarly) refuseOtherMedia(rawHeaders);
  return body;
}

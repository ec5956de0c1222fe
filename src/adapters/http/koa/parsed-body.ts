import type { Context } from 'koa';
import { bodyTooLarge } from '../errors.js';

/** What a body parser leaves on the request of Koa (koa-bodyparser, `@koa/bodyparser`) or of Node (`express.json()`). */
interface ParsedRequest {
  /** The body as it was sent. */
  readonly rawBody?: unknown;
  /** The body as the parser understood it. */
  readonly body?: unknown;
}

/**
 * The body of a request that a body parser in front of this application has read; `undefined` if none has, or if it left
 * nothing. Prefers the body as it was sent. A parsed value is written as JSON again.
 *
 * @throws HttpError `body_too_large` if it is larger than `limit` bytes.
 * @throws Error if the parser has rounded an integer, so that its digits are lost.
 */
export function bodyOfParser({ req, request }: Context, limit: number): Uint8Array | undefined {
  if (!req.readableDidRead) return undefined;
  const byKoa: ParsedRequest = request as ParsedRequest;
  const byNode: ParsedRequest = req as ParsedRequest;
  const bytes = bytesOf(byKoa.rawBody ?? byNode.rawBody ?? byKoa.body ?? byNode.body);
  if (bytes !== undefined && bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, refuseRounded));
}

function refuseRounded(_member: string, value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Error(
      'a body parser in front of the animal store has rounded an integer of the body: let it keep the body as rawBody',
    );
  }
  return value;
}

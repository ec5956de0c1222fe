import { bodyReadBefore, bodyTooLarge } from '../pipeline/errors.js';

/** What a body parser adds to the request of Node (`express.json()`) or of Koa (koa-bodyparser, `@koa/bodyparser`). */
interface ParsedRequest {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** The body as it was sent, or else the parsed value as JSON. @param holders What a parser may have added it to, the likeliest first. */
export function parsedBody(holders: readonly object[], limit: number): Uint8Array {
  const parsed: readonly ParsedRequest[] = holders;
  const raw = parsed.find(({ rawBody }) => rawBody !== undefined)?.rawBody;
  const bytes = bytesOf(raw ?? parsed.find(({ body }) => body !== undefined)?.body);
  if (bytes === undefined) throw bodyReadBefore();
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, refuseRounded));
}

function refuseRounded(_member: string, value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Error(
      'a body parser in front of the animal store has rounded an integer of the body: make it keep the body as rawBody',
    );
  }
  return value;
}

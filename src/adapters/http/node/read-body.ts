import type { IncomingMessage } from 'node:http';
import timers from 'node:timers';
import { bodyIncomplete, bodyTooLarge, HttpError } from '../pipeline/errors.js';
import { parsedBody } from './parsed-body.js';

/** Captured, because test runners replace this member with a fake that never calls back by itself. */
const { setImmediate: nextTurn } = timers;

/** Reads and drops bytes beyond the limit, so that the client can receive the response. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  holders: readonly object[] = [request],
): Promise<Uint8Array> {
  if (request.readableDidRead) return parsedBody(holders, limit);
  if (!request.complete && request.readableFlowing === null) await endOfTurn();
  if (request.destroyed) throw endOf(request.errored);
  if (request.complete) return arrivedBody(request, limit);
  return await new Promise((resolve, reject) => {
    let body: Buffer = Buffer.alloc(0);
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      const start = size;
      size += chunk.length;
      if (size > limit) reject(bodyTooLarge(limit));
      else if (start === 0) body = chunk;
      else {
        // Doubling keeps the copying linear in the size, however small the chunks are.
        if (size > body.length) body = Buffer.concat([body], Math.max(size, 2 * body.length));
        chunk.copy(body, start);
      }
    });
    request.on('end', () => resolve(body.subarray(0, size)));
    request.on('error', (error) => reject(endOf(error)));
    request.on('close', () => reject(bodyIncomplete()));
  });
}

/** Node emits a body, and runs promise callbacks, before it marks the request as complete. A turn later, most small bodies are whole. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

function endOf(error: Error | null): HttpError {
  return error instanceof HttpError ? error : bodyIncomplete();
}

function arrivedBody(request: IncomingMessage, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let chunk: Buffer | null;
  // Up to Node 24, one call returns everything; later versions return a chunk at a time.
  while ((chunk = request.read() as Buffer | null) !== null) chunks.push(chunk);
  const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  if (body.length > limit) throw bodyTooLarge(limit);
  return body;
}

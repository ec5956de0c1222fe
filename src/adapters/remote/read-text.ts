/**
 * The maximum size of an answer's body, in bytes: 2 MiB.
 *
 * The longest answer is a list of 100 animals. A name has 1,024 code points, each of which takes at most 12 bytes in JSON
 * (`\ud83d\ude00`): 12,288 bytes. The other members and their names take less than 150. The total is less than 1.25 MB. The
 * rest is for white space, and for members that later versions may add.
 */
export const ANSWER_LIMIT = 2 ** 21;

/** The body of an answer is too large or not UTF-8. The message continues a sentence that begins with the status. */
export class BodyError extends Error {}

/**
 * Reads the body of an answer as UTF-8, and stops as soon as it exceeds the limit. When the signal aborts, cancels the rest of
 * the body, even if the `fetch` that returned the answer ignores the signal.
 *
 * Rejects with a {@link BodyError} if the body is larger or not UTF-8, and with the error of the connection if it breaks.
 */
export async function readText({ body }: Response, signal: AbortSignal): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  // If the connection is broken already, there is nothing to cancel.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decode(decoder);
    bytes += value.length;
    if (bytes > ANSWER_LIMIT) throw new BodyError(`its body is larger than ${ANSWER_LIMIT} bytes`);
    text += decode(decoder, value);
  }
}

/** Decodes the next piece, or ends the decoding if there is none. */
function decode(decoder: InstanceType<typeof TextDecoder>, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new BodyError('its body is not valid UTF-8');
  }
}

import type { OperationAnswer } from '../answer.js';
import type { Operation } from '../operation.js';

/** A file that the reference page loads. It never changes while this version of the package runs. */
export interface ReferenceFile {
  readonly path: string;
  readonly contentType: string;
  /** Resolves to its bytes, the same array each time, so that any number of answers takes the memory of one. */
  readonly read: () => Promise<Uint8Array>;
}

/** `GET` of a file. */
export function getFile({ path, contentType, read }: ReferenceFile): Operation {
  const headers = ['Content-Type', contentType, 'Cache-Control', 'public, max-age=86400'];
  const handle = async (): Promise<OperationAnswer> => ({ status: 200, headers, body: await read() });
  return { method: 'GET', path, handle };
}

/** Reads a text. */
export function textBytes(text: string): ReferenceFile['read'] {
  const bytes = new TextEncoder().encode(text);
  return async () => bytes;
}

/** Reads bytes embedded as gzip in base64. The first read unpacks them; if that fails, the next one tries again. */
export function unpackedBytes(base64: string): ReferenceFile['read'] {
  let unpacking: Promise<Uint8Array> | undefined;
  const forget = (): void => (unpacking = undefined);
  return async () => {
    if (unpacking === undefined) {
      unpacking = unpack(base64);
      unpacking.catch(forget);
    }
    return unpacking;
  };
}

async function unpack(base64: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const unpacked: AsyncIterable<Uint8Array<ArrayBuffer>> = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of unpacked) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

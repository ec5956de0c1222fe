import { hexOf } from '../../application/sha256.js';

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

/** The bytes of one coding, and their strong entity tag (RFC 9110, section 8.8.3). */
export interface Representation {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** Resolves to the same object each time, so that all answers share its memory. */
type Read = () => Promise<Representation>;

/** Bytes that do not change while the process runs, in each available coding. */
export interface Content {
  readonly identity: Read;
  readonly gzip?: Read;
  readonly br?: Read;
}

/** A file as `scripts/embed-reference-files.js` embeds it: each coding in base64. */
export interface EmbeddedFile {
  /** Its name, with a hash of its bytes. */
  readonly name: string;
  /** Only for a file that compression does not make smaller. */
  readonly identity?: string;
  readonly gzip?: string;
  readonly br?: string;
}

/** The content of an embedded file. Decodes each coding when it is first asked for. */
export function embeddedContent({ identity, gzip, br }: EmbeddedFile): Content {
  return {
    identity: representation(async () =>
      identity === undefined ? through(new DecompressionStream('gzip'), bytesOf(gzip ?? '')) : bytesOf(identity),
    ),
    ...(gzip !== undefined && { gzip: representation(() => bytesOf(gzip)) }),
    ...(br !== undefined && { br: representation(() => bytesOf(br)) }),
  };
}

/** The content of a text. Encodes and compresses it when it is first asked for. */
export function textContent(text: string): Content {
  const encoded = (): Bytes => new TextEncoder().encode(text);
  return {
    identity: representation(encoded),
    gzip: representation(async () => through(new CompressionStream('gzip'), encoded())),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Makes the bytes on the first call. If that fails, the next call tries again. */
function representation(make: () => Bytes | Promise<Bytes>): Read {
  let making: Promise<Representation> | undefined;
  const forget = (): void => (making = undefined);
  return async () => {
    if (making === undefined) {
      making = tagged(make);
      making.catch(forget);
    }
    return making;
  };
}

async function tagged(make: () => Bytes | Promise<Bytes>): Promise<Representation> {
  const bytes = await make();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { bytes, etag: `"${hexOf(digest.subarray(0, 16))}"` };
}

function bytesOf(base64: string): Bytes {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

async function through(coder: CompressionStream | DecompressionStream, bytes: Bytes): Promise<Bytes> {
  const coded = new Blob([bytes]).stream().pipeThrough(coder);
  return new Uint8Array(await new Response(coded).arrayBuffer());
}

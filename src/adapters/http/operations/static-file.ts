import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { Operation } from '../pipeline/operation.js';
import { listField } from '../pipeline/header-fields.js';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Does not change while the process runs. */
export interface StaticFile {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Of a 200: names and values in turn. @default none */
  readonly headers?: readonly string[];
  /** Called once, when a client first asks for the bytes. */
  readonly identity: () => Bytes | Promise<Bytes>;
  /** In gzip; left out if that is not smaller. */
  readonly gzip?: () => Bytes | Promise<Bytes>;
}

/** Looks at `Accept-Encoding` and `If-None-Match` (RFC 9110, sections 12.5.3 and 13.1.2), but at no other precondition. */
export function serveFile({ path, contentType, cacheControl, headers = [], ...file }: StaticFile): Operation {
  const identity = madeOnce(file.identity);
  const gzip = file.gzip && madeOnce(file.gzip);
  const varying = gzip === undefined ? [] : ['Vary', 'Accept-Encoding'];
  return {
    method: 'GET',
    path,
    async handle({ request: { rawHeaders } }) {
      const isGzip = gzip !== undefined && prefersGzip(rawHeaders);
      const { bytes, etag } = await (isGzip ? gzip : identity)();
      if (fresh({ 'if-none-match': listField(rawHeaders, 'if-none-match') }, { etag })) {
        return { status: 304, headers: ['ETag', etag, ...varying], body: '', cacheControl };
      }
      const coding = isGzip ? ['Content-Encoding', 'gzip'] : [];
      const fields = ['Content-Type', contentType, 'ETag', etag, ...coding, ...varying, ...headers];
      return { status: 200, headers: fields, body: bytes, cacheControl };
    },
  };
}

export function revalidatedText(text: string): Pick<StaticFile, 'cacheControl' | 'identity' | 'gzip'> {
  const identity = (): Bytes => new TextEncoder().encode(text);
  return { cacheControl: 'no-cache', identity, gzip: async () => through(new CompressionStream('gzip'), identity()) };
}

export async function through(coder: CompressionStream | DecompressionStream, bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(coder)).arrayBuffer());
}

/** With a strong entity tag (RFC 9110, section 8.8.3), made at the first call. All responses share the bytes. */
function madeOnce(make: StaticFile['identity']) {
  const tagged = async () => {
    const bytes = await make();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return { bytes, etag: `"${btoa(String.fromCharCode(...digest))}"` };
  };
  let made: ReturnType<typeof tagged> | undefined;
  return async () => (made ??= tagged());
}

/** A request without `Accept-Encoding` is treated like one with an empty field, which accepts no coding. */
function prefersGzip(rawHeaders: readonly string[]): boolean {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': listField(rawHeaders, 'accept-encoding') } });
  return negotiator.encoding(['gzip', 'identity']) === 'gzip';
}

import type { Handler, Operation } from '../pipeline/operation.js';
import { FILES } from './files/files.js';
import type { ApiServer } from '../operations/openapi.js';
import { revalidatedText, serveFile, through, type Bytes, type StaticFile } from '../operations/static-file.js';

/** As `scripts/embed-reference-files.js` embeds it, in base64. */
interface EmbeddedFile {
  readonly name: string;
  readonly contentType: string;
  /** If compression makes it smaller. */
  readonly gzip?: string;
  readonly identity?: string;
}

/** Makes the operations that serve a reference, which names these addresses of the service. Its value is {@link reference}. */
export type Reference = (servers: readonly ApiServer[]) => readonly Operation[];

/**
 * The interactive reference, for the option `reference`: `GET /docs` is a page of Swagger UI that shows `/openapi.json`; `/` and
 * `/docs/` redirect to it.
 *
 * @example
 * createApp({ store, apiKeys, reference });
 */
export const reference: Reference = (servers) => {
  const page: StaticFile = {
    path: '/docs',
    contentType: 'text/html; charset=utf-8',
    headers: ['Content-Security-Policy', policy(servers)],
    ...revalidatedText(PAGE),
  };
  return [...redirects, ...[page, ...Object.values<EmbeddedFile>(FILES).map(embedded)].map(serveFile)];
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Animal Store: reference</title>
    <link rel="stylesheet" href="docs/${FILES['swagger-ui.css'].name}">
    <link rel="stylesheet" href="docs/${FILES['index.css'].name}">
    <link rel="stylesheet" href="docs/${FILES['style.css'].name}">
    <link rel="icon" href="docs/${FILES['favicon-32x32.png'].name}">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/${FILES['swagger-ui-bundle.js'].name}"></script>
    <script src="docs/${FILES['start.js'].name}"></script>
  </body>
</html>
`;

/** Its name changes with its bytes, so a client never needs to revalidate it (RFC 8246). */
function embedded({ name, contentType, gzip, identity = '' }: EmbeddedFile): StaticFile {
  const file = { path: `/docs/${name}`, contentType, cacheControl: 'public, max-age=31536000, immutable' };
  if (gzip === undefined) return { ...file, identity: () => bytesOf(identity) };
  const bytes = (): Bytes => bytesOf(gzip);
  return { ...file, gzip: bytes, identity: async () => through(new DecompressionStream('gzip'), bytes()) };
}

function bytesOf(base64: string): Bytes {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const redirectToPage: Handler = ({ request }) => {
  const path = `${request.mountPath}/docs`;
  const headers = ['Location', path, 'Content-Type', 'text/plain; charset=utf-8'];
  return { status: 302, headers, body: `The reference is at ${path}\n` };
};

const redirects = ['/', '/docs/'].map((path): Operation => ({ method: 'GET', path, handle: redirectToPage }));

/** Swagger UI sets styles from its script, draws its icons from data URLs, and calls the servers of the document. */
function policy(servers: readonly ApiServer[]): string {
  const origins = servers.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []));
  const connect = ["'self'", ...new Set(origins)].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

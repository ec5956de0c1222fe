import type { Handler, Operation } from '../operation.js';
import { clientPath } from '../request.js';
import { embeddedContent, textContent, type EmbeddedFile } from '../content.js';
import type { ApiServer } from './openapi.js';
import { PAGE } from './reference-files/page.js';
import { SWAGGER_UI } from './reference-files/swagger-ui.js';
import { serveFile, IMMUTABLE, REVALIDATED, type StaticFile } from '../static-file.js';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const FILES: readonly StaticFile[] = [
  file(SWAGGER_UI['swagger-ui-bundle.js'], SCRIPT),
  file(SWAGGER_UI['swagger-ui.css'], STYLE),
  file(SWAGGER_UI['favicon-32x32.png'], 'image/png'),
  file(PAGE['start.js'], SCRIPT),
  file(PAGE['page.css'], STYLE),
];

/**
 * `GET /docs`: the interactive reference, which is a page of Swagger UI, and the files that it loads. `/` and `/docs/`
 * redirect to it.
 *
 * @param document The OpenAPI document that it shows, in JSON.
 */
export function reference(document: string, servers: readonly ApiServer[]): readonly Operation[] {
  const page: StaticFile = {
    path: '/docs',
    contentType: 'text/html; charset=utf-8',
    cacheControl: REVALIDATED,
    headers: ['Content-Security-Policy', policy(servers)],
    content: textContent(pageOf(document)),
  };
  return [...redirects, ...[page, ...FILES].map((each) => serveFile(each))];
}

function file(embedded: EmbeddedFile, contentType: string): StaticFile {
  const path = `/docs/${embedded.name}`;
  return { path, contentType, cacheControl: IMMUTABLE, content: embeddedContent(embedded) };
}

/** The page contains the document, so that a browser that has the files cached requests only the page. */
function pageOf(document: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Animal Store: reference</title>
    <link rel="stylesheet" href="docs/${SWAGGER_UI['swagger-ui.css'].name}">
    <link rel="stylesheet" href="docs/${PAGE['page.css'].name}">
    <link rel="icon" href="docs/${SWAGGER_UI['favicon-32x32.png'].name}">
  </head>
  <body>
    <div id="reference"></div>
    <script id="document" type="application/json">${document.replaceAll('<', '\\u003c')}</script>
    <script src="docs/${SWAGGER_UI['swagger-ui-bundle.js'].name}"></script>
    <script src="docs/${PAGE['start.js'].name}"></script>
  </body>
</html>
`;
}

const redirectToPage: Handler = ({ request }) => {
  const path = clientPath(request, '/docs');
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

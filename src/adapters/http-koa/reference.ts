import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Answer, Operation } from './answer.js';
import type { ApiServer } from './openapi.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Animal Store: reference</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="docs/favicon-32x32.png">
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Swagger UI would print a JSON body anew, its integers rounded to doubles: shown as plain text, they keep every digit. */
const START = `const ExactBodies = () => ({
  wrapComponents: {
    responseBody: (Original, { React }) => (props) =>
      React.createElement(Original, { ...props, contentType: 'text/plain' }),
  },
});

SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, plugins: [ExactBodies] });
`;

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** `GET /docs`: the interactive reference, a page by Swagger UI, and the files that it needs, each by its path. */
export function referenceFiles(servers: () => readonly ApiServer[]): Readonly<Record<string, Operation>> {
  return {
    '/docs': () => textAnswer(HTML, PAGE, { 'Content-Security-Policy': policy(servers()) }),
    '/docs/start.js': () => textAnswer(SCRIPT, START),
    '/docs/swagger-ui-bundle.js': fileOfSwaggerUi('swagger-ui-bundle.js', SCRIPT),
    '/docs/swagger-ui.css': fileOfSwaggerUi('swagger-ui.css', CSS),
    '/docs/favicon-32x32.png': fileOfSwaggerUi('favicon-32x32.png', 'image/png'),
  };
}

function textAnswer(contentType: string, body: string, headers = {}): Answer {
  return { status: 200, headers, body, contentType };
}

/** Swagger UI sets styles from its script and draws its icons from data URLs; it calls the servers listed. */
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

/** Read when first asked for, then kept: the file never changes while the package is installed. */
function fileOfSwaggerUi(name: string, contentType: string): Operation {
  const headers = { 'Cache-Control': 'public, max-age=86400' };
  let body: Buffer | undefined;
  return async () => {
    body ??= await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
    return { status: 200, headers, body, contentType };
  };
}

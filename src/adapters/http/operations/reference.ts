import type { HttpAnswer } from '../answer.js';
import type { Handler, Operation } from '../operation.js';
import { clientPath } from '../request.js';
import type { ApiServer } from './openapi.js';
import { getFile, textBytes, unpackedBytes, type ReferenceFile } from './reference-file.js';
import { SWAGGER_UI } from './reference-files/swagger-ui.js';

const PAGE = new TextEncoder().encode(`<!doctype html>
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
`);

/** Swagger UI would reformat a JSON body, and round its integers to doubles. This shows it as plain text, digit for digit. */
const START = `const ExactBodies = () => ({
  wrapComponents: {
    responseBody: (Original, { React }) => (props) =>
      React.createElement(Original, { ...props, contentType: 'text/plain' }),
  },
});

SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, plugins: [ExactBodies] });
`;

const SCRIPT = 'text/javascript; charset=utf-8';

const FILES: readonly ReferenceFile[] = [
  { path: '/docs/start.js', contentType: SCRIPT, read: textBytes(START) },
  {
    path: '/docs/swagger-ui-bundle.js',
    contentType: SCRIPT,
    read: unpackedBytes(SWAGGER_UI['swagger-ui-bundle.js']),
  },
  {
    path: '/docs/swagger-ui.css',
    contentType: 'text/css; charset=utf-8',
    read: unpackedBytes(SWAGGER_UI['swagger-ui.css']),
  },
  {
    path: '/docs/favicon-32x32.png',
    contentType: 'image/png',
    read: unpackedBytes(SWAGGER_UI['favicon-32x32.png']),
  },
];

/**
 * `GET /docs`: the interactive reference, which is a page of Swagger UI, and the files that it loads. `/` and `/docs/`
 * redirect to it.
 */
export function reference(servers: readonly ApiServer[]): readonly Operation[] {
  const page: HttpAnswer = {
    status: 200,
    headers: ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', policy(servers)],
    body: PAGE,
  };
  return [
    get('/', redirectToPage),
    get('/docs/', redirectToPage),
    get('/docs', () => page),
    ...FILES.map((file) => getFile(file)),
  ];
}

function get(path: string, handle: Handler): Operation {
  return { method: 'GET', path, handle };
}

const redirectToPage: Handler = ({ request }) => {
  const path = clientPath(request, '/docs');
  const headers = ['Location', path, 'Content-Type', 'text/plain; charset=utf-8'];
  return { status: 302, headers, body: `The reference is at ${path}\n` };
};

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

/** Node's own server and no package: one function that tells the routes apart, and sends every header field that Animal Store sends. Prints its port. */
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { KEYS } from '../animals.js';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL, NO_SUCH_ROUTE } from './parts/errors.js';

const STATUSES = ['available', 'pending', 'sold'];
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const CHALLENGE = 'Bearer realm="animal-store"';
const DEPRECATION = {
  Deprecation: '@1795132800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '</v1/pets>; rel="successor-version"',
};

const apiKeys = new ApiKeys(KEYS);
const catalogue = new Catalogue(Number);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const judgement = apiKeys.judge(request.headers.authorization);
  if (judgement === 'missing') return send(request, response, 401, NO_KEY, { 'WWW-Authenticate': CHALLENGE });
  if (judgement === 'invalid') {
    const challenge = `${CHALLENGE}, error="invalid_token"`;
    return send(request, response, 401, INVALID_KEY, { 'WWW-Authenticate': challenge });
  }
  if (pathname === '/v1/pets' && request.method === 'GET') return list(searchParams, request, response);
  if (pathname === '/v1/pets' && request.method === 'POST') return create(request, response);
  const id = /^\/v1\/pets\/(\d+)$/.exec(pathname)?.[1];
  if (id === undefined || request.method !== 'GET') return send(request, response, 404, NO_SUCH_ROUTE);
  const found = catalogue.find(id);
  return found === undefined
    ? send(request, response, 404, NO_SUCH_ANIMAL, DEPRECATION)
    : send(request, response, 200, found, DEPRECATION);
});

function list(parameters, request, response) {
  const limit = parameters.get('limit') ?? '20';
  const status = parameters.get('status') ?? undefined;
  const after = parameters.get('after') ?? '0';
  if (!/^\d+$/.test(limit) || limit < 1 || limit > 100) {
    return send(request, response, 400, invalidParameter('limit must be an integer from 1 to 100'));
  }
  if (status !== undefined && !STATUSES.includes(status)) {
    return send(request, response, 400, invalidParameter(`status must be one of ${STATUSES.join(', ')}`));
  }
  if (!/^-?\d+$/.test(after)) return send(request, response, 400, invalidParameter('after must be an integer'));
  const { animals, next } = catalogue.list({ limit: Number(limit), status, after: Number(after) });
  if (next === undefined) return send(request, response, 200, animals);
  const own = `${parameters.has('limit') ? `limit=${limit}&` : ''}${status === undefined ? '' : `status=${status}&`}`;
  return send(request, response, 200, animals, { Link: `</v1/pets?${own}after=${next}>; rel="next"` });
}

function create(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = parse(Buffer.concat(chunks).toString());
    const fault = faultOfNewPet(body);
    if (fault !== undefined) return send(request, response, 400, invalidBody(fault));
    const added = catalogue.add(body);
    return send(request, response, 201, added, { Location: `/v1/pets/${added.id}` });
  });
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(request, response, status, value, fields) {
  const body = JSON.stringify(value);
  const own = request.headers['x-request-id'];
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    ...fields,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': own !== undefined && REQUEST_ID.test(own) ? own : randomUUID(),
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** What is wrong with the body of a creation, checked by hand; `undefined` if nothing is. */
function faultOfNewPet(body) {
  if (typeof body !== 'object' || body === null) return 'the body must be a JSON object';
  const { name, categoryId, status } = body;
  if (typeof name !== 'string' || name.trim() === '' || name.length > 1024)
    return 'name must have 1 to 1024 characters';
  if (!Number.isInteger(categoryId)) return 'categoryId must be an integer';
  if (status !== undefined && !STATUSES.includes(status)) return `status must be one of ${STATUSES.join(', ')}`;
  return undefined;
}

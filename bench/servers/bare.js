/** Node's own server and no package: one function that tells the routes apart. Prints its port. */
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { KEYS } from '../animals.js';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL, NO_SUCH_ROUTE } from './parts/errors.js';

const STATUSES = ['available', 'pending', 'sold'];

const apiKeys = new ApiKeys(KEYS);
const catalogue = new Catalogue(Number);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const judgement = apiKeys.judge(request.headers.authorization);
  if (judgement !== 'valid') return send(response, 401, judgement === 'missing' ? NO_KEY : INVALID_KEY);
  if (pathname === '/v1/pets' && request.method === 'GET') return list(searchParams, response);
  if (pathname === '/v1/pets' && request.method === 'POST') return create(request, response);
  const id = /^\/v1\/pets\/(\d+)$/.exec(pathname)?.[1];
  if (id === undefined || request.method !== 'GET') return send(response, 404, NO_SUCH_ROUTE);
  const found = catalogue.find(id);
  return found === undefined ? send(response, 404, NO_SUCH_ANIMAL) : send(response, 200, found);
});

function list(parameters, response) {
  const limit = parameters.get('limit') ?? '20';
  const status = parameters.get('status') ?? undefined;
  const after = parameters.get('after') ?? '0';
  if (!/^\d+$/.test(limit) || limit < 1 || limit > 100) {
    return send(response, 400, invalidParameter('limit must be an integer from 1 to 100'));
  }
  if (status !== undefined && !STATUSES.includes(status)) {
    return send(response, 400, invalidParameter(`status must be one of ${STATUSES.join(', ')}`));
  }
  if (!/^-?\d+$/.test(after)) return send(response, 400, invalidParameter('after must be an integer'));
  return send(response, 200, catalogue.list({ limit: Number(limit), status, after: Number(after) }).animals);
}

function create(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = parse(Buffer.concat(chunks).toString());
    const fault = faultOfNewPet(body);
    if (fault !== undefined) return send(response, 400, invalidBody(fault));
    return send(response, 201, catalogue.add(body));
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

function send(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
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

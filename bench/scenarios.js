import { KEY, WRONG_KEY } from './animals.js';

/**
 * The requests that are measured, in the order in which a server gets them: the one that adds animals comes last, so that
 * the others find the same catalogue in each server.
 *
 * @typedef {{ name: string, method: string, path: string, key: string, body?: string, status: number }} Scenario
 * @type {readonly Scenario[]}
 */
export const SCENARIOS = [
  { name: 'list-20', method: 'GET', path: '/v1/pets', key: KEY, status: 200 },
  { name: 'list-100', method: 'GET', path: '/v1/pets?limit=100', key: KEY, status: 200 },
  { name: 'sold', method: 'GET', path: '/v1/pets?status=sold', key: KEY, status: 200 },
  { name: 'get', method: 'GET', path: '/v1/pets/5000', key: KEY, status: 200 },
  { name: '401', method: 'GET', path: '/v1/pets', key: WRONG_KEY, status: 401 },
  {
    name: 'create',
    method: 'POST',
    path: '/v1/pets',
    key: KEY,
    body: '{"name":"Rex","categoryId":7,"status":"available"}',
    status: 201,
  },
];

/** The header fields of a scenario's request. */
export function headersOf({ key, body }) {
  const headers = { Authorization: `Bearer ${key}` };
  return body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
}

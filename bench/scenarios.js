import { animal, ANIMALS, CLIENTS, keyOf, wrongKeyOf } from './animals.js';

/** How many different requests a scenario has. */
const REQUESTS = 1000;

/**
 * @typedef {{ method: string, path: string, key?: string, body?: string, headers?: Record<string, string> }} Request
 *
 * What is measured: requests of one kind, and the status of their answers. The load generator sends them in turn, from the
 * first to the last and again from the first.
 *
 * @typedef {{ name: string, requests: readonly Request[], status: number }} Scenario
 */

/** A thousand requests by clients in turn. `ask` makes one of its number, counted from 0, and of its client's key. */
function requests(ask, clients = CLIENTS) {
  return Array.from({ length: REQUESTS }, (_, i) => ask(i, keyOf(i % clients)));
}

/**
 * Pages of the list, each beginning at another place.
 *
 * @param {{ animals?: number, clients?: number, limit?: number, status?: string }} [options] `limit`, `status`: as in the
 *   query; left out of it by default.
 */
export function pages({ animals = ANIMALS, clients, limit, status } = {}) {
  // Leaves out the last tenth of the list, so that no page is short.
  const step = (0.9 * animals) / REQUESTS;
  const fixed = `${limit === undefined ? '' : `limit=${limit}&`}${status === undefined ? '' : `status=${status}&`}`;
  return requests(
    (i, key) => ({ method: 'GET', path: `/v1/pets?${fixed}after=${Math.floor(i * step)}`, key }),
    clients,
  );
}

/** The first page of the list, for each client. */
export function firstPages({ limit } = {}) {
  const path = limit === undefined ? '/v1/pets' : `/v1/pets?limit=${limit}`;
  return requests((_, key) => ({ method: 'GET', path, key }));
}

/** Pages of twenty animals, which other measurements than that of requests use too. */
export const LIST = { name: 'list-20', requests: pages(), status: 200 };

export const GET = {
  name: 'get',
  requests: requests((i, key) => ({ method: 'GET', path: `/v1/pets/${i * 10 + 1}`, key })),
  status: 200,
};

/**
 * The requests that are measured, in the order in which a server gets them: those that add animals come last, so that the
 * others find the same catalogue in each server.
 *
 * @type {readonly Scenario[]}
 */
export const SCENARIOS = [
  LIST,
  { name: 'list-100', requests: pages({ limit: 100 }), status: 200 },
  { name: 'first-20', requests: firstPages(), status: 200 },
  { name: 'first-100', requests: firstPages({ limit: 100 }), status: 200 },
  { name: 'sold', requests: pages({ status: 'sold' }), status: 200 },
  GET,
  { name: '401', requests: requests((i) => ({ method: 'GET', path: '/v1/pets', key: wrongKeyOf(i) })), status: 401 },
  {
    name: 'create',
    requests: requests((i, key) => ({ method: 'POST', path: '/v1/pets', key, body: JSON.stringify(animal(i + 1)) })),
    status: 201,
  },
];

/** The header fields of a request. */
export function headersOf({ key, body, headers }) {
  return {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
}

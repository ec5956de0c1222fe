import { animal, ANIMALS, keyOf, wrongKeyOf } from './animals.js';

/**
 * What is measured: requests of one kind, which are sent in turn, and the status of their answers.
 *
 * @typedef {{ method: string, path: string, key: string, body?: string }} Request
 * @typedef {{ name: string, requests: readonly Request[], status: number }} Scenario
 */

/** A thousand requests of as many clients. `ask` makes one of its number, counted from 0. */
function scenario(name, status, ask) {
  const requests = Array.from({ length: 1000 }, (_, i) => ({ method: 'GET', key: keyOf(i), ...ask(i) }));
  return { name, status, requests };
}

/**
 * The columns of the tables: the first page of the list, with 20 and 100 animals and with those of a status; pages anywhere in the
 * list; one animal; a creation, which comes late because the catalogue grows; a wrong key.
 *
 * @param {number} animals How many there are.
 * @returns {readonly Scenario[]}
 */
export function scenariosFor(animals) {
  // All over the catalogue but its last tenth, so that no page that begins there is short.
  const idAt = (i) => Math.floor((0.9 * animals * i) / 1000);
  return [
    scenario('list 20', 200, () => ({ path: '/v1/pets' })),
    scenario('list 100', 200, () => ({ path: '/v1/pets?limit=100' })),
    scenario('sold', 200, () => ({ path: '/v1/pets?status=sold' })),
    scenario('anywhere 20', 200, (i) => ({ path: `/v1/pets?after=${idAt(i)}` })),
    scenario('anywhere 100', 200, (i) => ({ path: `/v1/pets?limit=100&after=${idAt(i)}` })),
    scenario('get', 200, (i) => ({ path: `/v1/pets/${idAt(i) + 1}` })),
    scenario('create', 201, (i) => ({ method: 'POST', path: '/v1/pets', body: JSON.stringify(animal(i + 1)) })),
    scenario('401', 401, (i) => ({ path: '/v1/pets', key: wrongKeyOf(i) })),
  ];
}

/** The names of the columns. */
export const COLUMNS = scenariosFor(ANIMALS).map(({ name }) => name);

/** The creations that fill an empty catalogue. @type {Scenario} */
export const FILLING = {
  name: 'fill',
  status: 201,
  requests: Array.from({ length: ANIMALS }, (_, i) => ({
    method: 'POST',
    path: '/v1/pets',
    key: keyOf(i),
    body: JSON.stringify(animal(i + 1)),
  })),
};

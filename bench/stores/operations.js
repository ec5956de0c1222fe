import { ANIMALS } from '../animals.js';

/** At how many places in the list pages begin. */
const PAGES = 1000;

/** The place of a page, in the first nine tenths of the list, so that no page is short. */
function after(i) {
  return BigInt((i % PAGES) * Math.floor((0.9 * ANIMALS) / PAGES));
}

/**
 * What is done with each store, Animal Store's or bare. The argument is made of a number, which counts from 0. `concurrency`: how
 * many wait for the store at a time, if not as many as usual.
 */
export const OPERATIONS = [
  { name: 'list-20', method: 'list', argument: (i) => ({ limit: 20, after: after(i) }) },
  { name: 'list-100', method: 'list', argument: (i) => ({ limit: 100, after: after(i) }) },
  { name: 'sold', method: 'list', argument: (i) => ({ limit: 20, status: 'sold', after: after(i) }) },
  { name: 'get', method: 'find', argument: (i) => BigInt((i % ANIMALS) + 1) },
  { name: 'get-alone', method: 'find', argument: (i) => BigInt((i % ANIMALS) + 1), concurrency: 1 },
  { name: 'create', method: 'add', argument: () => ({ name: 'Rex', categoryId: 7n, status: 'available' }) },
];

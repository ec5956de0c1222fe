/** The animals and the API keys that each server starts with. The same for every server. */

/** How many animals a server starts with, unless a measurement says otherwise. */
export const ANIMALS = 10_000;

/** How many clients ask, each with an API key of its own, unless a measurement says otherwise. */
export const CLIENTS = 1000;

const STATUSES = ['available', 'pending', 'sold'];

/** The animal with this number, counted from 1, without its id. */
export function animal(number) {
  // V8 keeps the texts of the last 16,384 numbers, but not of a bigint. They would count as memory of what is measured.
  return {
    name: `Animal ${BigInt(number)}`,
    categoryId: (number % 50) + 1,
    status: STATUSES[number % STATUSES.length],
  };
}

/** The API key of the client with this number, counted from 0. Every server accepts it. */
export function keyOf(client) {
  return `bench-key-of-client-${String(client).padStart(4, '0')}`;
}

/** A key of the same length that no server accepts. */
export function wrongKeyOf(client) {
  return keyOf(client).replace('client', 'nobody');
}

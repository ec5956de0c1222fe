/** The animals and the API keys that each server starts with. The same for every server. */

/** How many animals a server starts with in memory. */
export const ANIMALS = 10_000;

/** How many it starts with on MongoDB and PostgreSQL: mongo-java-server looks at all of them for each list. */
export const ANIMALS_ON_DATABASES = 1000;

/** How many clients ask, each with an API key of its own. */
const CLIENTS = 1000;

const STATUSES = ['available', 'pending', 'sold'];

/** The animal with this number, counted from 1, without its id. */
export function animal(number) {
  return { name: `Animal ${number}`, categoryId: (number % 50) + 1, status: STATUSES[number % STATUSES.length] };
}

/** The API key of a client, counted from 0. Every server accepts it. */
export function keyOf(number) {
  return `bench-key-of-client-${String(number % CLIENTS).padStart(4, '0')}`;
}

/** A key of the same length that no server accepts. */
export function wrongKeyOf(number) {
  return keyOf(number).replace('client', 'nobody');
}

/** Every key that servers accept. */
export const KEYS = Array.from({ length: CLIENTS }, (_, number) => keyOf(number));

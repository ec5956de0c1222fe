/** The animals that each server starts with, and what clients send. The same for every server. */

/** How many animals a server starts with, unless a measurement says otherwise. */
export const ANIMALS = 10_000;

/** The API key that every server accepts. */
export const KEY = 'bench-key-of-more-than-16-characters';

/** A key of the same length that no server accepts. */
export const WRONG_KEY = KEY.replace(/s$/, 'x');

const STATUSES = ['available', 'pending', 'sold'];

/** The animal with this number, counted from 1, without its id. */
export function animal(number) {
  return { name: `Animal ${number}`, categoryId: (number % 50) + 1, status: STATUSES[number % STATUSES.length] };
}

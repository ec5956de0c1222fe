/** @import { AnimalStore } from 'animal-store' */

/**
 * Writes the letter that tells customers which animals are available.
 *
 * @param {AnimalStore} store
 * @returns {Promise<string>}
 */
export async function writeCatalogueLetter(store) {
  const names = [];
  /** @type {bigint | undefined} */
  let after;
  do {
    const page = await store.listPets({ status: 'available', limit: 100, after });
    names.push(...page.pets.map(({ name }) => name));
    after = page.next;
  } while (after !== undefined);
  if (names.length === 0) return 'Come again soon: every animal has found a home.';
  return `Waiting for you: ${new Intl.ListFormat('en').format(names)}.`;
}

import type { Pet } from '../../domain/pet.js';

/** How many pages are kept. A page of the largest animals has some 620 KB. */
const MAX_PAGES = 32;

/** A page that was listed more than once, and its JSON text. */
interface KeptPage {
  readonly pets: readonly Pet[];
  readonly text: string;
}

/**
 * The texts of the pages that are listed again and again. An animal never changes, so a page of the same objects has the
 * same text, and a catalogue in memory lists the same objects each time. A catalogue on a database makes new objects for
 * each list; it pays for two look-ups a list and nothing is kept, because only a page that starts with the same object as
 * an earlier one counts as listed again.
 */
export class KeptPages {
  /** The animals that came first in a page. */
  readonly #leaders = new WeakSet<Pet>();
  /** By the query that lists them; the one kept last comes last. */
  readonly #pages = new Map<string, KeptPage>();

  /** The text of the page that a query lists: the kept one if the page is the same, otherwise what `write` makes of it. */
  textOf(query: string, pets: readonly Pet[], write: (pets: readonly Pet[]) => string): string {
    const kept = this.#pages.get(query);
    if (kept !== undefined && areSame(kept.pets, pets)) return kept.text;
    const text = write(pets);
    const [first] = pets;
    if (first === undefined) return text;
    if (this.#leaders.has(first)) this.#keep(query, { pets, text });
    else this.#leaders.add(first);
    return text;
  }

  #keep(query: string, page: KeptPage): void {
    this.#pages.delete(query);
    this.#pages.set(query, page);
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size > MAX_PAGES) this.#pages.delete(oldest);
  }
}

function areSame(some: readonly Pet[], others: readonly Pet[]): boolean {
  return some.length === others.length && some.every((pet, i) => pet === others[i]);
}

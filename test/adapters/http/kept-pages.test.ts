import { expect } from 'chai';
import { KeptPages } from '../../../src/adapters/http/kept-pages.js';
import { petsJson } from '../../../src/adapters/http/json/pet-json.js';
import { makeNewPet, makePet, type Pet } from '../../../src/domain/pet.js';

const MAX_PAGES = 32;

/** Animals of these names with the ids 1, 2, 3; new objects each time. */
function petsOf(...names: readonly string[]): Pet[] {
  return names.map((name, i) => makePet(BigInt(i + 1), makeNewPet({ name, categoryId: 7n })));
}

describe('KeptPages', () => {
  let pages: KeptPages;
  let written: number;

  beforeEach(() => {
    pages = new KeptPages();
    written = 0;
  });

  /** The text of a page, which must be right whether it was kept or not. */
  function list(query: string, pets: readonly Pet[]): void {
    const text = pages.textOf(query, pets, (page) => {
      written++;
      return petsJson(page);
    });
    expect(text).to.equal(petsJson(pets));
  }

  it('writes a page of the same animals twice at the most', () => {
    const pets = petsOf('Rex', 'Tom');
    for (let i = 0; i < 10; i++) list('', [...pets]);
    expect(written).to.equal(2);
  });

  it('writes a page of other objects each time', () => {
    for (let i = 0; i < 10; i++) list('', petsOf('Rex', 'Tom'));
    expect(written).to.equal(10);
  });

  it('writes a page anew that has grown, shrunk, or has another animal', () => {
    const [rex, tom, kim] = petsOf('Rex', 'Tom', 'Kim') as [Pet, Pet, Pet];
    for (const pets of [[rex], [rex], [rex, tom], [rex, kim], [rex], [tom], []]) list('', pets);
    expect(written).to.equal(7);
  });

  it('keeps the page of each query', () => {
    const pets = petsOf('Rex', 'Tom', 'Kim');
    for (let i = 0; i < 10; i++) {
      list('limit=3', pets);
      list('limit=1', pets.slice(0, 1));
    }
    expect(written).to.equal(3);
  });

  it(`keeps ${MAX_PAGES} pages at the most: the oldest one goes`, () => {
    const pets = petsOf('Rex');
    list('', pets);
    for (let i = 0; i <= MAX_PAGES; i++) list(`x=${i}`, pets);
    const before = written;
    for (let i = 1; i <= MAX_PAGES; i++) list(`x=${i}`, pets);
    expect(written - before).to.equal(0);
    list('x=0', pets);
    expect(written - before).to.equal(1);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { BSON, Double, Int32, Long } from 'mongodb';
import { toPet } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { toPets } from '../../../../src/adapters/mongodb/pets/pet-bson.js';
import { PET_STATUSES } from '../../../../src/domain/pet-status.js';
import { INT64_MAX, INT64_MIN } from '../../../../src/domain/int64.js';
import { anyText } from '../../../support/any-text.js';

const ONCE = new BSON.Binary(Buffer.from('0123456789abcdef'));

/** What a function returns, or the error that it throws. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

function serialize(document: object): Buffer {
  return Buffer.from(BSON.serialize(document));
}

/** Expects the animals of a document to be those that `bson` and the checks of the adapter read in it. */
function expectSameAsBson(bytes: Buffer): void {
  const byBson = outcomeOf(() => [
    toPet(BSON.deserialize(bytes, { useBigInt64: true, promoteBuffers: true, validation: { utf8: true } })),
  ]);
  expect(outcomeOf(() => toPets([bytes]))).to.deep.equal(byBson);
}

const int64 = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.constantFrom(INT64_MIN, INT64_MAX, 0n, -1n, 2n ** 53n + 1n));
const name = anyText({ maxLength: 40 });
const own = fc.record(
  { _id: int64, name, categoryId: int64, status: fc.constantFrom(...PET_STATUSES), once: fc.constant(ONCE) },
  { requiredKeys: ['_id', 'name', 'categoryId'] },
);
const value = fc.oneof(
  int64,
  fc.string(),
  fc.constantFrom(null, true, new Int32(7), new Double(7), new Double(7.5), Long.fromNumber(7), ONCE, { a: 1 }, [1]),
);
const foreign = fc
  .array(fc.tuple(fc.constantFrom('_id', 'name', 'categoryId', 'status', 'once', 'other', '__proto__'), value), {
    maxLength: 7,
  })
  .map((members) => Object.fromEntries(members));

describe('an animal in BSON', () => {
  it('is what bson reads, for every document as the adapter writes it', () => {
    fc.assert(fc.property(own, (document) => expectSameAsBson(serialize(document))));
  });

  it('is what bson reads, for documents of other programs', () => {
    fc.assert(fc.property(foreign, (document) => expectSameAsBson(serialize(document))));
  });

  it('is what bson reads, or fails as with it, if any byte is another', () => {
    const anyByte = fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(own, anyByte, (document, { at, byte }) => {
        const bytes = serialize(document);
        bytes[at % bytes.length] = byte;
        expectSameAsBson(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('fails as with bson if the document is cut short or goes on after its end', () => {
    const bytes = serialize({ _id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' });
    for (let length = 0; length < bytes.length; length++) expectSameAsBson(Buffer.from(bytes.subarray(0, length)));
    expectSameAsBson(Buffer.concat([bytes, Buffer.alloc(1)]));
  });

  it('fails if its name is not UTF-8', () => {
    const bytes = serialize({ _id: 1n, name: 'Rex', categoryId: 7n });
    bytes[bytes.indexOf('Rex')] = 0xff;
    expect(() => toPets([bytes])).to.throw('UTF-8');
  });

  it('keeps a name with the character that replaces what is not UTF-8', () => {
    const [pet] = toPets([serialize({ _id: 1n, name: 'Re\uFFFDx', categoryId: 7n })]);
    expect(pet).to.deep.equal({ id: 1n, name: 'Re\uFFFDx', categoryId: 7n });
  });

  it('is found among others that lie in the same buffer', () => {
    const pets = [1n, 2n, 3n].map((id) => ({ id, name: `Rex ${id}`, categoryId: -id }));
    const parts = pets.map(({ id, ...rest }) => serialize({ _id: id, ...rest }));
    const whole = Buffer.concat([Buffer.alloc(3), ...parts]);
    let at = 3;
    const documents = parts.map(({ length }) => whole.subarray(at, (at += length)));
    expect(toPets(documents)).to.deep.equal(pets);
  });

  it('is frozen', () => {
    const [pet] = toPets([serialize({ _id: 1n, name: 'Rex', categoryId: 7n })]);
    expect(Object.isFrozen(pet)).to.equal(true);
  });
});

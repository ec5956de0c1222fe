import { expect } from 'chai';
import { toPet } from '../../../../src/adapters/mongodb/pets/pet-document.js';

describe('MalformedDocumentError', () => {
  const messageFor = (id: unknown): string => {
    try {
      toPet({ _id: id, name: 'Rex' });
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('the document is an animal');
  };

  it('shows at most 100 characters of an id', () => {
    expect(messageFor('x'.repeat(98))).to.include(`the document { _id: '${'x'.repeat(98)}' } of`);
    expect(messageFor('x'.repeat(10_000))).to.include(`the document { _id: '${'x'.repeat(99)} } of`);
  });

  it('shows an id of many members in one line', () => {
    const id = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`member-${i}`, { a: [i] }]));
    expect(messageFor(id)).to.match(
      /^the document \{ _id: \{ .*member-1.* \} of the collection pets is malformed: .*$/,
    );
  });
});

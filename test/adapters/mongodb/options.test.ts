import { expect } from 'chai';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';

describe('an option of a MongoDB adapter', () => {
  const db = createMongoClient('mongodb://127.0.0.1:1/').db('animals');

  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    it(`cannot be a deadline of ${value}`, () => {
      expect(() => new MongoPetCatalogue(db, { deadlineMs: value })).to.throw(TypeError, 'deadlineMs');
      expect(() => new MongoApiKeyRegistry(db, { deadlineMs: value })).to.throw(TypeError, 'deadlineMs');
      expect(() => new MongoApiKeys(db, { verifyDeadlineMs: value })).to.throw(TypeError, 'verifyDeadlineMs');
      expect(() => new MongoApiKeys(db, { deadlineMs: value })).to.throw(TypeError, 'deadlineMs');
    });

    it(`cannot be a block of ${value} ids`, () => {
      expect(() => new MongoPetCatalogue(db, { idBlockSize: value })).to.throw(TypeError, 'idBlockSize');
    });
  }

  it('may be a deadline of 2^31 − 1 ms', () => {
    expect(new MongoPetCatalogue(db, { deadlineMs: 2 ** 31 - 1 })).to.be.an('object');
  });

  it('cannot be an age below 0', () => {
    expect(() => new MongoApiKeys(db, { maxAgeMs: -1 })).to.throw(TypeError, 'maxAgeMs');
  });
});

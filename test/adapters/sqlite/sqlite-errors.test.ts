import { expect } from 'chai';
import {
  isBusy,
  isNoTransaction,
  openError,
  SqliteFileError,
  storeUnavailable,
} from '../../../src/adapters/sqlite/sqlite-errors.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';

/** An error as `node:sqlite` throws it. */
function errorOfSqlite(errcode: unknown, message = 'an error of SQLite'): Error {
  return Object.assign(new Error(message), { errcode });
}

describe('isBusy', () => {
  for (const [name, errcode] of Object.entries({ BUSY: 5, LOCKED: 6, PROTOCOL: 15, BUSY_RECOVERY: 261 })) {
    it(`is true for ${name}`, () => {
      expect(isBusy(errorOfSqlite(errcode))).to.equal(true);
    });
  }

  for (const [what, error] of Object.entries({
    'another error of SQLite': errorOfSqlite(13),
    'an error of another kind': new Error('no answer'),
    'an error whose code is a text': errorOfSqlite('5'),
    'an object that is no error': { errcode: 5 },
    nothing: undefined,
  })) {
    it(`is false for ${what}`, () => {
      expect(isBusy(error)).to.equal(false);
    });
  }
});

describe('isNoTransaction', () => {
  for (const message of ['cannot rollback - no transaction is active', 'no such savepoint: write']) {
    it(`is true for "${message}"`, () => {
      expect(isNoTransaction(errorOfSqlite(1, message))).to.equal(true);
    });
  }

  it('is false for another message', () => {
    expect(isNoTransaction(errorOfSqlite(1, 'no such table: pets'))).to.equal(false);
  });

  it('is false for another code', () => {
    expect(isNoTransaction(errorOfSqlite(13, 'cannot rollback - no transaction is active'))).to.equal(false);
  });
});

describe('storeUnavailable', () => {
  it('says what was waited for, and keeps the error of SQLite', () => {
    const cause = errorOfSqlite(5, 'database is locked');
    const error = storeUnavailable(cause);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect(error).to.include({ message: 'another process has the database locked', cause });
  });
});

describe('openError', () => {
  const reasons: readonly (readonly [number, string])[] = [
    [8, 'is read-only'],
    [1032, 'is read-only'],
    [13, 'cannot be written: the disk is full'],
    [14, 'cannot be opened: it needs a folder that exists, and the rights to read and write there'],
    [26, 'is not an SQLite database'],
  ];

  for (const [errcode, reason] of reasons) {
    it(`names the file and says that it ${reason}, for the code ${errcode}`, () => {
      const cause = errorOfSqlite(errcode);
      const error = openError('zoo.db', cause);
      expect(error).to.be.instanceOf(SqliteFileError);
      expect(error).to.include({ name: 'SqliteFileError', message: `the SQLite file zoo.db ${reason}`, cause });
    });
  }

  for (const [what, error] of Object.entries({
    'with another code': errorOfSqlite(11),
    'of another kind': new Error('closed'),
  })) {
    it(`leaves an error ${what} as it is`, () => {
      expect(openError('zoo.db', error)).to.equal(error);
    });
  }
});

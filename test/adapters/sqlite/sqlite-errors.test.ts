import { expect } from 'chai';
import {
  fileError,
  isBusy,
  isNoTransaction,
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
    it(`is true for ${name}`, () => expect(isBusy(errorOfSqlite(errcode))).to.equal(true));
  }

  for (const [what, error] of Object.entries({
    'another error of SQLite': errorOfSqlite(13),
    'an error of another kind': new Error('no answer'),
    'an error whose code is a text': errorOfSqlite('5'),
    'an object that is not an error': { errcode: 5 },
    nothing: undefined,
  })) {
    it(`is false for ${what}`, () => expect(isBusy(error)).to.equal(false));
  }
});

describe('isNoTransaction', () => {
  for (const [errcode, message, expected] of [
    [1, 'cannot rollback - no transaction is active', true],
    [1, 'no such savepoint: write', true],
    [1, 'no such table: pets', false],
    [13, 'cannot rollback - no transaction is active', false],
  ] as const) {
    it(`is ${expected} for the code ${errcode} and "${message}"`, () => {
      expect(isNoTransaction(errorOfSqlite(errcode, message))).to.equal(expected);
    });
  }
});

describe('storeUnavailable', () => {
  it('names the file and what may hold the lock, and keeps the error of SQLite', () => {
    const cause = errorOfSqlite(5, 'database is locked');
    const error = storeUnavailable('zoo.db', cause);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect(error).to.have.property('cause', cause);
    expect(error.message).to.match(
      /^the SQLite file zoo\.db could not be locked: .* no locks, like many network drives$/,
    );
  });
});

describe('fileError', () => {
  const reasons: readonly (readonly [number, string])[] = [
    [3, 'may not be used by this user'],
    [7, 'cannot be used: out of memory'],
    [8, 'is read-only'],
    [264, 'is read-only'],
    [1032, 'was moved, removed or replaced while it was open'],
    [11, 'is damaged: restore it from a back-up'],
    [267, 'is damaged: restore it from a back-up'],
    [13, 'cannot be written: the disk is full'],
    [14, 'cannot be opened: it needs a folder that exists, and the rights to read and write there'],
    [22, 'has reached the largest size that its file system allows'],
    [26, 'is not an SQLite database'],
    [1, 'caused an error: an error of SQLite (result code 1 of SQLite)'],
    [3850, 'caused an error: an error of SQLite (result code 3850 of SQLite)'],
  ];

  for (const [errcode, reason] of reasons) {
    it(`names the file and says that it ${reason}, for the code ${errcode}`, () => {
      const cause = errorOfSqlite(errcode);
      const error = fileError('zoo.db', cause);
      expect(error).to.be.instanceOf(SqliteFileError);
      expect(error).to.include({ name: 'SqliteFileError', message: `the SQLite file zoo.db ${reason}`, cause });
    });
  }

  it('returns an error of another kind unchanged', () => {
    const error = new Error('closed');
    expect(fileError('zoo.db', error)).to.equal(error);
  });
});

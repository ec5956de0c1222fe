import { expect } from 'chai';
import { MongoClientClosedError, MongoNotConnectedError, MongoServerError, MongoTopologyClosedError } from 'mongodb';
import { lookup } from 'node:dns/promises';
import { isRetryable, isUnavailable } from '../../../src/adapters/mongodb/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';

const errorWith = (members: object): Error => Object.assign(new Error('it failed'), members);
const named = (name: string): Error => errorWith({ name });
const serverError = (code: number, errorLabels?: string[]): Error =>
  new MongoServerError({ code, ...(errorLabels && { errorLabels }) });

/** As the specification of retryable reads has them. */
const NOT_PRIMARY = [6, 7, 89, 91, 134, 189, 9001, 10107, 11600, 11602, 13435, 13436];

const RETRYABLE: Readonly<Record<string, readonly Error[]>> = {
  'a lost connection': [
    ...['MongoNetworkError', 'MongoNetworkTimeoutError', 'MongoPoolClearedError', 'PoolClearedOnNetworkError'].map(
      named,
    ),
    ...['ECONNRESET', 'EPIPE', 'ENETUNREACH', 'ERR_STREAM_DESTROYED', 'ERR_SOCKET_CLOSED'].map((code) =>
      errorWith({ code }),
    ),
  ],
  'a server that is not the primary, or cannot reach others': NOT_PRIMARY.map((code) => serverError(code)),
};

const UNAVAILABLE: Readonly<Record<string, readonly Error[]>> = {
  'a client that is closed': [
    new MongoClientClosedError(),
    new MongoNotConnectedError('Client must be connected before running operations'),
    new MongoTopologyClosedError(),
    ...['MongoExpiredSessionError', 'MongoPoolClosedError', 'MongoServerClosedError', 'MongoStalePrimaryError'].map(
      named,
    ),
  ],
  'a pool or a deployment that has nothing free in time': [
    ...['MongoWaitQueueTimeoutError', 'MongoServerSelectionError', 'MongoOperationTimeoutError'].map(named),
  ],
  'a write that no majority confirmed': [errorWith({ name: 'MongoWriteConcernError', code: 79 })],
  'a server that ran out of time': [24, 50, 64, 100, 133, 202, 262, 365].map((code) => serverError(code)),
  'an operation that an operator ended': [175, 11601].map((code) => serverError(code)),
  'a server that sheds load': [serverError(462, ['SystemOverloadedError'])],
};

const ANSWERS: Readonly<Record<string, Error>> = {
  'a taken key': serverError(11000),
  'a user without the right': serverError(13),
  'a wrong password': serverError(18),
  'a hint at an index that is not there': serverError(2),
  'a file that is missing': errorWith({ code: 'ENOENT' }),
  "a programmer's mistake": errorWith({ code: 'ERR_INVALID_ARG_TYPE' }),
};

describe('an error of the MongoDB driver', () => {
  for (const [what, errors] of Object.entries(RETRYABLE)) {
    it(`means no answer, and is worth another attempt, for ${what}`, () => {
      expect(errors.filter((error) => !isUnavailable(error) || !isRetryable(error))).to.deep.equal([]);
    });
  }

  for (const [what, errors] of Object.entries(UNAVAILABLE)) {
    it(`means no answer, but is not worth another attempt, for ${what}`, () => {
      expect(errors.filter((error) => !isUnavailable(error) || isRetryable(error))).to.deep.equal([]);
    });
  }

  for (const [what, error] of Object.entries(ANSWERS)) {
    it(`is an answer for ${what}`, () => {
      expect([isUnavailable(error), isRetryable(error)]).to.deep.equal([false, false]);
    });
  }

  it('means no answer if a name does not resolve', async () => {
    expect(isUnavailable(await rejectionOf(lookup('no-such-host.invalid')))).to.equal(true);
  });
});

import { expect } from 'chai';
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { lookup } from 'node:dns/promises';
import { isRetryable, isUnavailable } from '../../../src/adapters/mongodb/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';

const errorWith = (members: object): Error => Object.assign(new Error('it failed'), members);

const NO_ANSWER: Record<string, Error> = {
  'a network error': new MongoNetworkError('connection 3 closed'),
  'a network time-out': new MongoNetworkTimeoutError('connection timed out'),
  'a client closed meanwhile': new MongoClientClosedError(),
  'a client that is closed': new MongoNotConnectedError('Client must be connected before running operations'),
  'a topology that is closed': new MongoTopologyClosedError(),
  'a pool that has no connection free in time': errorWith({ name: 'MongoWaitQueueTimeoutError' }),
  'a write that no majority confirmed': new MongoWriteConcernError({
    ok: 1,
    writeConcernError: { code: 79, errmsg: 'no write concern mode named x' },
  }),
  'a server that is not the primary': new MongoServerError({ code: 10107, errmsg: 'not primary' }),
  'a server that ran out of time': new MongoServerError({ code: 50, errmsg: 'operation exceeded time limit' }),
  'an operation that an operator ended': new MongoServerError({ code: 11601, errmsg: 'operation was interrupted' }),
  'a plan that the server gave up': new MongoServerError({ code: 175, errmsg: 'query plan killed' }),
  'a server that sheds load': new MongoServerError({ code: 462, errorLabels: ['SystemOverloadedError'] }),
  'a connection that was reset': errorWith({ code: 'ECONNRESET', syscall: 'read' }),
  'a broken pipe': errorWith({ code: 'EPIPE' }),
  'a stream that is gone': errorWith({ code: 'ERR_STREAM_DESTROYED' }),
};

const ANSWERS: Record<string, Error> = {
  'a taken key': new MongoServerError({ code: 11000, errmsg: 'E11000 duplicate key' }),
  'a user without the right': new MongoServerError({ code: 13, errmsg: 'not authorized' }),
  'a wrong password': new MongoServerError({ code: 18, errmsg: 'Authentication failed.' }),
  'a hint at an index that is not there': new MongoServerError({ code: 2, errmsg: 'bad hint' }),
  'a file that is missing': errorWith({ code: 'ENOENT', syscall: 'open' }),
  "a programmer's mistake": errorWith({ code: 'ERR_INVALID_ARG_TYPE' }),
};

describe('an error of the MongoDB driver', () => {
  for (const [what, error] of Object.entries(NO_ANSWER)) {
    it(`means no answer for ${what}`, () => {
      expect(isUnavailable(error)).to.equal(true);
    });
  }

  for (const [what, error] of Object.entries(ANSWERS)) {
    it(`is an answer for ${what}`, () => {
      expect(isUnavailable(error)).to.equal(false);
      expect(isRetryable(error)).to.equal(false);
    });
  }

  it('means no answer, and is worth another attempt, with each code of the specification of retryable reads', () => {
    const codes = [6, 7, 89, 91, 134, 189, 9001, 10107, 11600, 11602, 13435, 13436];
    const errors = codes.map((code) => new MongoServerError({ code, errmsg: 'not now' }));
    expect(errors.filter((error) => !isUnavailable(error) || !isRetryable(error))).to.deep.equal([]);
  });

  it('means no answer if a name does not resolve', async () => {
    expect(isUnavailable(await rejectionOf(lookup('no-such-host.invalid')))).to.equal(true);
  });

  it('is not worth another attempt if the server took too long', () => {
    expect(isRetryable(NO_ANSWER['a server that ran out of time'])).to.equal(false);
  });
});

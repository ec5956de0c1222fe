import { expect } from 'chai';
import { withoutKey } from '../../../src/adapters/remote/without-key.js';

const KEY = 'a-secret-key';

describe('a copy of an error without the key', () => {
  it('has the name, the message, the stack and the code, with a mark in place of the key', () => {
    const error = Object.assign(new TypeError(`no ${KEY}, no ${KEY}`), {
      stack: `at ${KEY}`,
      code: `E-${KEY}`,
      request: { Authorization: KEY },
    });
    const copy = withoutKey(error, KEY);
    expect(copy).to.be.instanceOf(Error).and.include({
      name: 'TypeError',
      message: 'no [API key], no [API key]',
      stack: 'at [API key]',
      code: 'E-[API key]',
    });
    expect(copy).not.to.have.property('request');
    expect(copy).not.to.have.property('cause');
  });

  it('shows the code alone among its members, and can be changed', () => {
    const copy = withoutKey(Object.assign(new Error('no'), { code: 'ENO', errors: [] }), KEY);
    expect(Object.keys(copy)).to.deep.equal(['code']);
    const member = { enumerable: false, configurable: true, writable: true };
    expect(Object.getOwnPropertyDescriptors(copy)).to.deep.include({
      name: { ...member, value: 'Error' },
      errors: { ...member, value: [] },
      code: { ...member, value: 'ENO', enumerable: true },
    });
  });

  it('has a stack of its own if the error has none', () => {
    const error = new Error('no');
    Object.defineProperty(error, 'stack', { value: undefined });
    expect(withoutKey(error, KEY).stack).to.be.a('string').and.include('no');
  });

  it('has copies of the causes and of the errors of an aggregate', () => {
    const cause = new Error(`first ${KEY}`);
    const copy = withoutKey(new AggregateError([new Error(`second ${KEY}`)], 'all', { cause }), KEY);
    expect(copy.cause).to.be.instanceOf(Error).with.property('message', 'first [API key]');
    const [second] = (copy as AggregateError).errors as readonly Error[];
    expect(second?.message).to.include('second [API key]');
  });

  it('of what is no error is one', () => {
    expect(withoutKey(`no ${KEY}`, KEY))
      .to.be.instanceOf(Error)
      .with.property('message', 'no [API key]');
  });
});

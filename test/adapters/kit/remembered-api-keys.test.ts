import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { hash } from 'node:crypto';
import { boundedCall } from '../../../src/adapters/kit/bounded-call.js';
import { RememberedApiKeys } from '../../../src/adapters/kit/remembered-api-keys.js';
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js';
import type { Principal } from '../../../src/domain/api-keys/api-keys.js';
import { endWithTest } from '../../support/cleanup.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { rejectionOf } from '../../support/rejection-of.js';

type StoredKey = Pick<ApiKey, 'name' | 'expiresAt' | 'revokedAt'>;

const ANNA = { name: 'anna' };
const NOT_IN_TIME = 'the API key was not verified in time';
const TOO_MANY = 'too many API keys are being looked up';
const CONCURRENT = 16;
const MAX_LOOK_UPS = 4096;
const MAX_KEYS = 10_000;
const DEADLINE_MS = 5000;
const MINUTE_MS = 60_000;

describe('RememberedApiKeys', () => {
  let clock: Clock;
  let keys: RememberedApiKeys;
  let stored: Map<string, StoredKey>;
  /** The digests that were looked up, in this order. */
  let lookUps: string[];
  /** How long the database takes to answer, in milliseconds. */
  let answerMs: number;
  /** Whether the database answers; if not, its answers arrive once it does. */
  let isSilent: boolean;
  let withheld: (() => void)[];
  let refusal: Error | undefined;

  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    endWithTest(() => clock.uninstall());
    [stored, lookUps, withheld] = [new Map(), [], []];
    [answerMs, isSilent, refusal] = [0, false, undefined];
    keys = new RememberedApiKeys(lookUp);
  });

  /** Answers as the adapter of a database does, from the present content of the store, with a deadline. */
  async function lookUp(digest: string): Promise<StoredKey | undefined> {
    lookUps.push(digest);
    return boundedCall({ deadlineMs: DEADLINE_MS, isUnavailable: () => false }, async () => {
      if (isSilent) await new Promise<void>((resolve) => withheld.push(resolve));
      if (answerMs > 0) await new Promise((resolve) => setTimeout(resolve, answerMs));
      if (refusal !== undefined) throw refusal;
      return stored.get(digest);
    });
  }

  function issue(name = 'anna', expiry: Pick<StoredKey, 'expiresAt'> = {}): string {
    const key = generateApiKey();
    stored.set(hash('sha256', key), { name, ...expiry });
    return key;
  }

  function revoke(key: string): void {
    stored.set(hash('sha256', key), { name: 'anna', revokedAt: new Date() });
  }

  function answerAgain(): void {
    isSilent = false;
    for (const answer of withheld.splice(0)) answer();
  }

  /** Lets time pass, and everything settle that is due. */
  const pass = async (ms: number): Promise<number> => clock.tickAsync(ms);

  /** How a call ends if this much time passes. Throws if it is not settled then. */
  async function outcomeAfter(ms: number, call: Promise<unknown>): Promise<unknown> {
    let outcome: { readonly value: unknown } | undefined;
    call.then(
      (value) => (outcome = { value }),
      (error: unknown) => (outcome = { value: error }),
    );
    await pass(ms);
    if (outcome === undefined) throw new Error(`the call waits for longer than ${ms} ms`);
    return outcome.value;
  }

  const verifyAll = async (count: number): Promise<PromiseSettledResult<Principal | undefined>[]> =>
    Promise.allSettled(Array.from({ length: count }, async () => keys.verify(generateApiKey())));

  it('refuses a text that has not the form of a key without a look-up', async () => {
    expect(await keys.verify('ask_')).to.equal(undefined);
    expect(lookUps).to.deep.equal([]);
  });

  for (const concurrentLookUps of [0, 1.5, Number.NaN]) {
    it(`is not made for ${concurrentLookUps} look-ups`, () => {
      const make = (): unknown => new RememberedApiKeys(lookUp, { concurrentLookUps });
      expect(make).to.throw(TypeError, 'concurrentLookUps must be an integer of at least 1');
    });
  }

  describe('of keys that it does not remember', () => {
    for (const [what, concurrentLookUps] of [
      ['16', undefined],
      ['as many as it is told', 3],
    ] as const) {
      it(`looks up ${what} concurrently, while more keys arrive`, async () => {
        keys = new RememberedApiKeys(lookUp, { concurrentLookUps });
        isSilent = true;
        const calls = verifyAll(50);
        await pass(0);
        expect(lookUps).to.have.length(concurrentLookUps ?? CONCURRENT);
        answerAgain();
        await calls;
        expect(lookUps).to.have.length(50);
      });
    }

    it('looks up none that waits for a look-up that has no answer', async () => {
      isSilent = true;
      const calls = verifyAll(50);
      await pass(DEADLINE_MS);
      for (const call of await calls) expect(call).to.have.nested.property('reason.code', 'store_unavailable');
      answerAgain();
      await pass(0);
      expect(lookUps).to.have.length(CONCURRENT);
    });

    it('looks up one once for concurrent calls, and refuses one beyond the maximum', async () => {
      isSilent = true;
      const flood = verifyAll(MAX_LOOK_UPS - 1);
      const [one, other] = [issue(), generateApiKey()];
      const calls = [keys.verify(one), keys.verify(one)];
      expect(await rejectionOf(keys.verify(other))).to.include({ code: 'store_unavailable', message: TOO_MANY });
      answerAgain();
      await flood;
      expect(await Promise.all(calls)).to.deep.equal([ANNA, ANNA]);
      expect(lookUps).to.have.length(MAX_LOOK_UPS);
      expect(await keys.verify(other)).to.equal(undefined);
    });

    it('looks up one once, for later calls too, if that takes longer than a call waits', async () => {
      const key = issue();
      isSilent = true;
      for (const ms of [2000, 2000]) {
        expect(await outcomeAfter(ms, keys.verify(key))).to.include({
          code: 'store_unavailable',
          message: NOT_IN_TIME,
        });
      }
      const call = keys.verify(key);
      answerAgain();
      expect(await call).to.deep.equal(ANNA);
      expect(lookUps).to.have.length(1);
    });

    it('asks the database about few of a flood of made-up ones, and changes nothing for the others', async () => {
      const [key, revoked] = [issue(), issue('ben')];
      await keys.verify(key);
      await keys.verify(revoked);
      revoke(revoked);
      await pass(4000);
      const before = lookUps.length;
      const flood = verifyAll(2 * MAX_LOOK_UPS);
      expect(await Promise.all([keys.verify(key), keys.verify(revoked)])).to.deep.equal([ANNA, undefined]);
      const refused = (await flood).filter(({ status }) => status === 'rejected');
      expect(refused).to.have.length(MAX_LOOK_UPS);
      expect(lookUps).to.have.length(before + MAX_LOOK_UPS + 2);
    });

    it('leaves no timer behind once a call has been answered', async () => {
      await verifyAll(50);
      expect(clock.countTimers()).to.equal(0);
    });
  });

  describe('of keys that it has verified', () => {
    it('remembers a maximum, those confirmed last, those refreshed last among them', async () => {
      const [anna, ben] = [issue(), issue('ben')];
      await keys.verify(anna);
      await pass(1000);
      await keys.verify(ben);
      await pass(1000);
      await keys.verify(anna);
      await pass(0);
      const others = Array.from({ length: MAX_KEYS - 1 }, () => issue());
      for (const key of others) await keys.verify(key);
      const before = lookUps.length;
      for (const key of [anna, ...others]) await keys.verify(key);
      expect(lookUps).to.have.length(before);
      await keys.verify(ben);
      expect(lookUps).to.have.length(before + 1);
    });

    it('takes one to be as old as its question, not as its answer', async () => {
      const key = issue();
      answerMs = 1999;
      expect(await outcomeAfter(answerMs, keys.verify(key))).to.deep.equal(ANNA);
      await keys.verify(key);
      expect(lookUps).to.have.length(1);
      await pass(1);
      await keys.verify(key);
      expect(lookUps).to.have.length(2);
    });

    it('gives a principal that no caller can change for the others', async () => {
      const key = issue();
      Reflect.set((await keys.verify(key)) ?? {}, 'name', 'ben');
      expect(await keys.verify(key)).to.deep.equal(ANNA);
    });

    it('refreshes one in the background, so that no call waits for a silent database', async () => {
      const key = issue();
      await keys.verify(key);
      isSilent = true;
      for (const ms of [2000, 1999]) {
        await pass(ms);
        expect(await keys.verify(key)).to.deep.equal(ANNA);
        expect(lookUps).to.have.length(2);
      }
    });

    it('accepts one without waiting again once a call has found the database silent', async () => {
      const key = issue();
      await keys.verify(key);
      isSilent = true;
      await pass(4000);
      const call = keys.verify(key);
      expect(await outcomeAfter(DEADLINE_MS, call)).to.deep.equal(ANNA);
      expect(await keys.verify(key)).to.deep.equal(ANNA);
    });

    it('asks for one again once a silent database answers, so that a revoked one stops working', async () => {
      const key = issue();
      await keys.verify(key);
      isSilent = true;
      await pass(4000);
      expect(await outcomeAfter(DEADLINE_MS, keys.verify(key))).to.deep.equal(ANNA);
      revoke(key);
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      answerAgain();
      await pass(0);
      expect(await keys.verify(key)).to.equal(undefined);
    });

    it('waits for the database again about one that is old once it has answered about another', async () => {
      const [key, other] = [issue(), issue('ben')];
      await keys.verify(key);
      isSilent = true;
      await pass(4000);
      await outcomeAfter(DEADLINE_MS, keys.verify(key));
      answerAgain();
      await keys.verify(other);
      revoke(key);
      expect(await keys.verify(key)).to.equal(undefined);
    });

    it('no longer accepts one after the database was silent for a minute', async () => {
      const key = issue();
      await keys.verify(key);
      isSilent = true;
      await pass(4000);
      await outcomeAfter(DEADLINE_MS, keys.verify(key));
      await pass(MINUTE_MS - 4000 - DEADLINE_MS - 1);
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      await pass(1);
      expect(await outcomeAfter(2000, keys.verify(key))).to.have.property('message', NOT_IN_TIME);
    });

    it('does not accept one in a call that finds the database silent after that minute', async () => {
      const key = issue();
      await keys.verify(key);
      await pass(MINUTE_MS - DEADLINE_MS);
      isSilent = true;
      expect(await outcomeAfter(DEADLINE_MS, keys.verify(key))).to.have.property('code', 'store_unavailable');
    });

    it('does not accept one beyond its expiry while the database is silent, in the call that finds it silent or after it', async () => {
      const key = issue('anna', { expiresAt: new Date(Date.now() + 8000) });
      await keys.verify(key);
      isSilent = true;
      await pass(4000);
      expect(await outcomeAfter(DEADLINE_MS, keys.verify(key))).to.equal(undefined);
      expect(await keys.verify(key)).to.equal(undefined);
    });

    it('refuses one from its expiry on, without a look-up', async () => {
      const key = issue('anna', { expiresAt: new Date(Date.now() + 1000) });
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      await pass(999);
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      await pass(1);
      expect(await keys.verify(key)).to.equal(undefined);
      expect(lookUps).to.have.length(1);
    });

    it('refuses one within 5 seconds of its revocation, with few look-ups', async () => {
      const key = issue();
      await keys.verify(key);
      await pass(1000);
      revoke(key);
      let isAccepted = true;
      for (let ms = 0; isAccepted && ms < 5000; ms += 10) {
        await pass(10);
        isAccepted = (await keys.verify(key)) !== undefined;
      }
      expect(isAccepted).to.equal(false);
      expect(lookUps).to.have.length(3);
    });

    it('accepts none that the database refuses to look up again', async () => {
      const key = issue();
      await keys.verify(key);
      await pass(4000);
      refusal = new Error('not authorized');
      expect(await rejectionOf(keys.verify(key))).to.equal(refusal);
      refusal = undefined;
      expect(await keys.verify(key)).to.deep.equal(ANNA);
    });
  });

  describe('on a database each of whose answers takes longer than a call waits', () => {
    let key: string;

    beforeEach(async () => {
      key = issue();
      await keys.verify(key);
      answerMs = 2200;
    });

    it('refuses a key within 5 seconds of its revocation', async () => {
      await pass(1000);
      revoke(key);
      for (let ms = 0; ms < 5000; ms += 100) {
        void keys.verify(key).catch(() => undefined);
        await pass(100);
      }
      // The key is unknown then, and an answer about it may take too long for a call.
      expect(await outcomeAfter(2000, keys.verify(key))).not.to.deep.equal(ANNA);
    });

    it('refuses a key that was revoked while nobody used it', async () => {
      revoke(key);
      await pass(4000);
      expect(await outcomeAfter(answerMs, keys.verify(key))).to.equal(undefined);
    });

    it('keeps accepting a key in use', async () => {
      for (let ms = 0; ms < 10_000; ms += 100) {
        await pass(100);
        expect(await outcomeAfter(answerMs, keys.verify(key))).to.deep.equal(ANNA);
      }
    });

    it('accepts a key as soon as the first answer about it is there', async () => {
      const unknown = issue('ben');
      expect(await outcomeAfter(2000, keys.verify(unknown))).to.have.property('code', 'store_unavailable');
      expect(await outcomeAfter(200, keys.verify(unknown))).to.deep.equal({ name: 'ben' });
    });
  });
});

import { expect } from 'chai';
import { addOnce, type Reservation } from '../../../../../src/adapters/mongodb/pets/once/add-once.js';
import type { PetCreation } from '../../../../../src/domain/idempotency-key.js';
import { isAnimalStoreError } from '../../../../../src/domain/errors.js';
import type { NewPet } from '../../../../../src/domain/pet.js';
import { Lost, SimulatedReplicaSet, type Caller, type Faults } from './simulated-replica-set.js';

const TEXTS = ['a', 'b'];
const SENDERS = 3;
/** Ids that calls are given at random: so few that most are taken, as after a counter was set back. */
const IDS = 12;
const MOST_EVENTS = 20_000;

/** What went wrong in a run; nothing if each text stands for one animal. */
type Verdict = string | undefined;

interface Run {
  readonly faults: Partial<Faults>;
  /** Whether senders of the same text send different animals. */
  readonly rivals: boolean;
  /** How often, out of 100 times, a call is killed. */
  readonly kills: number;
  /** Breaks the steps of the protocol. */
  readonly breakSteps?: (creation: Reservation) => Reservation;
}

/** Lets senders repeat their creations until they are answered, first with faults and then without. */
async function run(seed: number, { faults, rivals, kills, breakSteps = (steps) => steps }: Run): Promise<Verdict> {
  const set = new SimulatedReplicaSet(seed, faults);
  const answers = new Map<string, { newPet: NewPet; creation: PetCreation | 'refused' }[]>(
    TEXTS.map((text) => [text, []]),
  );

  const call = async (text: string, newPet: NewPet): Promise<PetCreation> => {
    const caller: Caller = { isKilled: false, hasEnded: false, inFlight: 0 };
    const isToBeKilled = set.random(100) < kills;
    const killed = isToBeKilled ? killSoon(set, caller) : new Promise<never>(() => undefined);
    try {
      return await Promise.race([
        killed,
        addOnce(breakSteps(set.creation(text, caller)), newPet, {
          nextId: async () => BigInt(1 + set.random(IDS)),
          reportTaken: () => undefined,
          isLost: (error) => error instanceof Lost,
          pause: async () => set.pause(caller),
        }),
      ]);
    } finally {
      caller.hasEnded = true;
    }
  };

  const send = async (text: string, newPet: NewPet): Promise<void> => {
    for (;;) {
      try {
        answers.get(text)?.push({ newPet, creation: await call(text, newPet) });
        return;
      } catch (error) {
        if (isAnimalStoreError(error)) return void answers.get(text)?.push({ newPet, creation: 'refused' });
        if (!(error instanceof Lost)) throw error;
      }
    }
  };

  const sendAll = async (): Promise<unknown> =>
    Promise.all(
      TEXTS.flatMap((text) =>
        Array.from({ length: SENDERS }, async (_, i) =>
          send(text, { name: text, categoryId: rivals ? BigInt(i % 2) : 0n }),
        ),
      ),
    );

  await set.runUntil(sendAll(), MOST_EVENTS);
  set.heal();
  await set.runUntil(sendAll(), MOST_EVENTS);
  return verdictOf(set, answers);
}

/** Kills a call after some events. */
async function killSoon(set: SimulatedReplicaSet, caller: Caller): Promise<never> {
  const other: Caller = { isKilled: false, hasEnded: true, inFlight: 0 };
  for (let left = set.random(12); left > 0; left--) await set.pause(other);
  caller.isKilled = true;
  throw new Lost();
}

function verdictOf(
  set: SimulatedReplicaSet,
  answers: ReadonlyMap<string, readonly { newPet: NewPet; creation: PetCreation | 'refused' }[]>,
): Verdict {
  for (const [text, ofText] of answers) {
    const stored = set.animalsOf(text);
    const most = 1 + (set.expiredWithAnimal.get(text) ?? 0);
    if (stored.length < 1 || stored.length > most) return `${text} stands for ${stored.length} animals`;
    for (const { newPet, creation } of ofText) {
      if (creation === 'refused') {
        if (stored.some(({ categoryId }) => categoryId === newPet.categoryId)) return `${text} was refused its animal`;
        continue;
      }
      const isStored = stored.some(({ id, categoryId }) => id === creation.pet.id && categoryId === newPet.categoryId);
      if (!isStored) return `${text} was answered with an animal that is not stored`;
    }
    const firsts = ofText.filter(({ creation }) => creation !== 'refused' && !creation.replayed);
    if (firsts.length > most) return `${text} had ${firsts.length} first calls`;
  }
  return undefined;
}

const FAULTS: Readonly<Record<string, Run>> = {
  'nothing goes wrong': { faults: {}, rivals: false, kills: 0 },
  'strangers and other texts take the ids': { faults: { stranger: 5 }, rivals: false, kills: 0 },
  'requests and answers are lost': { faults: { lostRequest: 10, lostAnswer: 10 }, rivals: false, kills: 0 },
  'requests arrive after they were given up': { faults: { lateRequest: 25, stranger: 3 }, rivals: false, kills: 10 },
  'primaries are deposed, and reads are stale': {
    faults: { failover: 3, staleRead: 30, stranger: 3 },
    rivals: false,
    kills: 0,
  },
  'calls are killed': { faults: { stranger: 3 }, rivals: false, kills: 50 },
  'rivals send other animals': { faults: { lostAnswer: 10, staleRead: 10 }, rivals: true, kills: 20 },
  'reservations expire': {
    faults: { expiry: 10, lostAnswer: 10, staleRead: 20, stranger: 2 },
    rivals: false,
    kills: 30,
  },
  'everything goes wrong together': {
    faults: { lostRequest: 5, lateRequest: 10, lostAnswer: 10, staleRead: 20, failover: 2, stranger: 3 },
    rivals: true,
    kills: 20,
  },
};
const RUNS = Number(process.env['ADD_ONCE_RUNS'] ?? 150);
const EVERYTHING = FAULTS['everything goes wrong together'] as Run;

/** Protocols that are broken in one step, to show that the runs would notice. */
const BROKEN: Readonly<Record<string, { run: Run; breakSteps: (creation: Reservation) => Reservation }>> = {
  'moves the reservation whatever id it has': {
    run: EVERYTHING,
    breakSteps: (creation) => {
      let latest = 0n;
      return {
        ...creation,
        async reserved() {
          const pet = await creation.reserved();
          latest = pet?.id ?? latest;
          return pet;
        },
        async move(_from, to) {
          await creation.move((await creation.reserved())?.id ?? latest, to);
        },
      };
    },
  },
  'leaves an id without looking who has it': {
    run: EVERYTHING,
    breakSteps: (creation) => {
      let looks = 0;
      return {
        ...creation,
        async standing(pet) {
          const standing = await creation.standing(pet);
          return standing === 'none' && looks++ === 0 ? 'foreign' : standing;
        },
      };
    },
  },
  'takes an animal that is not there for stored': {
    run: EVERYTHING,
    breakSteps: (creation) => ({ ...creation, standing: async () => 'ours' }),
  },
  'stores an animal without confirming its reservation': {
    run: FAULTS['reservations expire'] as Run,
    breakSteps: (creation) => ({ ...creation, renew: async () => true }),
  },
  'concludes from a read that there is no reservation': {
    run: EVERYTHING,
    breakSteps: (creation) => ({
      ...creation,
      reserve: async (pet) => (await creation.reserve(pet)) || (await creation.reserved()) === undefined,
    }),
  },
};

describe('the protocol of addOnce on a simulated replica set', function () {
  this.timeout(180_000);

  for (const [what, faults] of Object.entries(FAULTS)) {
    it(`stores one animal for each idempotency key if ${what}`, async () => {
      for (let seed = 0; seed < RUNS; seed++) expect(await run(seed, faults), `seed ${seed}`).to.equal(undefined);
    });
  }

  for (const [what, { run: faults, breakSteps }] of Object.entries(BROKEN)) {
    it(`would fail if it ${what}`, async () => {
      for (let seed = 0; seed < 20 * RUNS; seed++) {
        // A broken protocol may also go round in circles, which is no double.
        const verdict = await run(seed, { ...faults, breakSteps }).catch(() => undefined);
        if (verdict !== undefined) return;
      }
      expect.fail('no run has noticed it');
    });
  }
});

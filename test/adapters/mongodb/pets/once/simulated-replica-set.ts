import { setImmediate } from 'node:timers/promises';
import type { Reservation } from '../../../../../src/adapters/mongodb/pets/once/add-once.js';
import type { Pet } from '../../../../../src/domain/pet.js';

/** The answer of a step that a caller never got: the step may have happened, may happen later, or may never happen. */
export class Lost extends Error {}

/** One call of the protocol. */
export interface Caller {
  /** Whether its process was killed: it goes no further, but what it has sent may still arrive. */
  isKilled: boolean;
  /** Whether it has ended, be it by a kill. */
  hasEnded: boolean;
  /** How many of its writes may still arrive. */
  inFlight: number;
}

interface StoredPet {
  readonly pet: Pet;
  /** The text under which it was stored; none for a stranger. */
  readonly mark?: string;
}

interface StoredReservation {
  readonly pet: Pet;
  /** Who has confirmed it by a write, and may store its animal. */
  readonly confirmedBy: ReadonlySet<Caller>;
}

interface State {
  readonly pets: ReadonlyMap<bigint, StoredPet>;
  readonly reservations: ReadonlyMap<string, StoredReservation>;
}

/** Changes a state. `undefined` if the state refuses: a key is taken, or nothing matches. */
type Write = (state: State) => State | undefined;

/** How often, out of 100 times, a fault befalls a step. */
export interface Faults {
  readonly lostRequest: number;
  readonly lateRequest: number;
  readonly lostAnswer: number;
  readonly staleRead: number;
  readonly failover: number;
  readonly stranger: number;
  readonly expiry: number;
}

const NO_FAULTS: Faults = {
  lostRequest: 0,
  lateRequest: 0,
  lostAnswer: 0,
  staleRead: 0,
  failover: 0,
  stranger: 0,
  expiry: 0,
};

/** Random integers from 0 up to a limit, the same for the same seed (Marsaglia's xorshift32). */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = (Math.imul(seed + 1, 2_654_435_761) | 1) >>> 0;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}

/**
 * A replica set as the protocol of `addOnce` sees it, in which one thing happens at a time, in random order: a request
 * arrives, a majority gets a write, an answer arrives, a primary is deposed and what no majority has is rolled back, a
 * stranger stores an animal, a reservation expires.
 *
 * It is harsher than MongoDB: a read may show any state that a majority ever had, and a refusal may be that of a server
 * that was deposed long ago. A reservation expires only if no call has confirmed it and is still under way, as calls are
 * far shorter than its life.
 */
export class SimulatedReplicaSet {
  readonly random: (limit: number) => number;
  /** The state after each write of the primary, from the empty one. */
  #states: State[] = [{ pets: new Map(), reservations: new Map() }];
  /** The index of the newest state that a majority has. */
  #committed = 0;
  #faults: Faults;
  readonly #events: (() => void)[] = [];
  /** The answers that wait for the majority, by the index of their state. */
  #waiting: { readonly index: number; readonly settle: (isCommitted: boolean) => void }[] = [];
  /** For each text, at how many expiries its animal stood already. */
  readonly expiredWithAnimal = new Map<string, number>();

  constructor(seed: number, faults: Partial<Faults>) {
    this.random = randomNumbers(seed);
    this.#faults = { ...NO_FAULTS, ...faults };
  }

  /** From now on nothing goes wrong. */
  heal(): void {
    this.#faults = { ...NO_FAULTS };
  }

  /** The animals stored under a text. */
  animalsOf(text: string): Pet[] {
    return [...this.#newest.pets.values()].filter(({ mark }) => mark === text).map(({ pet }) => pet);
  }

  /** Lets one thing after another happen until the promise settles. Rejects if that takes too many. */
  async runUntil(settled: Promise<unknown>, mostEvents: number): Promise<void> {
    const progress = { isSettled: false };
    const stop = (): void => void (progress.isSettled = true);
    settled.then(stop, stop);
    for (let count = 0; ; count++) {
      await setImmediate();
      if (progress.isSettled) return void (await settled);
      if (count === mostEvents) throw new Error(`nothing has come of it after ${mostEvents} events`);
      this.#happen();
    }
  }

  /** Resolves after some other events. */
  async pause(caller: Caller): Promise<void> {
    await new Promise<void>((resolve) => this.#tell(caller, resolve));
  }

  /** The steps of one call under a text. */
  creation(text: string, caller: Caller): Reservation {
    const write = async (change: Write): Promise<boolean> => this.#write(change, caller);
    const read = async <T>(look: (state: State) => T): Promise<T> => this.#read(look, caller);
    const withReservation = (state: State, reservation: StoredReservation): State => ({
      ...state,
      reservations: new Map(state.reservations).set(text, reservation),
    });
    return {
      reserve: async (pet) =>
        write((state) =>
          state.reservations.has(text) ? undefined : withReservation(state, { pet, confirmedBy: new Set([caller]) }),
        ),
      reserved: async () => read(({ reservations }) => reservations.get(text)?.pet),
      renew: async (id) =>
        write((state) => {
          const found = state.reservations.get(text);
          if (found?.pet.id !== id) return undefined;
          return withReservation(state, { ...found, confirmedBy: new Set([...found.confirmedBy, caller]) });
        }),
      move: async (from, to) => {
        await write((state) => {
          const found = state.reservations.get(text);
          if (found?.pet.id !== from) return undefined;
          return withReservation(state, { ...found, pet: { ...found.pet, id: to } });
        });
      },
      store: async (pet) => write((state) => withPet(state, { pet, mark: text })),
      standing: async ({ id }) =>
        read(({ pets }) => {
          const found = pets.get(id);
          if (found === undefined) return 'none';
          return found.mark === text ? 'ours' : 'foreign';
        }),
    };
  }

  get #newest(): State {
    return this.#states.at(-1) as State;
  }

  #chance(percent: number): boolean {
    return percent > 0 && this.random(100) < percent;
  }

  #happen(): void {
    if (this.#chance(this.#faults.failover)) return this.#failOver();
    if (this.#chance(this.#faults.stranger)) return this.#storeStranger();
    if (this.#chance(this.#faults.expiry)) return this.#expireOne();
    const hasUncommitted = this.#committed < this.#states.length - 1;
    if (hasUncommitted && (this.#events.length === 0 || this.random(2) === 0)) return this.#commitNext();
    const [event] = this.#events.splice(this.random(this.#events.length), 1);
    event?.();
  }

  async #write(change: Write, caller: Caller): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const lose = (): void => reject(new Lost());
      const answer = (tell: () => void): void =>
        this.#tell(caller, this.#chance(this.#faults.lostAnswer) ? lose : tell);
      const arrive = (): void => {
        caller.inFlight--;
        if (this.#chance(this.#faults.staleRead) && change(this.#anyCommitted()) === undefined) {
          return answer(() => resolve(false));
        }
        const changed = change(this.#newest);
        if (changed === undefined) return answer(() => resolve(false));
        const index = this.#states.push(changed) - 1;
        const settle = (isCommitted: boolean): void => answer(isCommitted ? () => resolve(true) : lose);
        this.#waiting.push({ index, settle });
      };
      caller.inFlight++;
      this.#events.push(() => {
        if (this.#chance(this.#faults.lostRequest)) {
          caller.inFlight--;
          return this.#tell(caller, lose);
        }
        if (!this.#chance(this.#faults.lateRequest)) return arrive();
        // The caller gives it up, and yet it arrives.
        this.#tell(caller, lose);
        this.#events.push(arrive);
      });
    });
  }

  async #read<T>(look: (state: State) => T, caller: Caller): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#events.push(() => {
        const isStale = this.#chance(this.#faults.staleRead);
        const seen = look(isStale ? this.#anyCommitted() : (this.#states[this.#committed] as State));
        const isLost = this.#chance(this.#faults.lostAnswer);
        this.#tell(caller, isLost ? () => reject(new Lost()) : () => resolve(seen));
      });
    });
  }

  /** Lets a caller go on, in its turn and if it is not killed by then. */
  #tell(caller: Caller, goOn: () => void): void {
    this.#events.push(() => {
      if (!caller.isKilled) goOn();
    });
  }

  #anyCommitted(): State {
    return this.#states[this.random(this.#committed + 1)] as State;
  }

  #commitNext(): void {
    this.#committed++;
    this.#settle(({ index }) => index <= this.#committed, true);
  }

  #failOver(): void {
    this.#states.length = this.#committed + 1;
    this.#settle(({ index }) => index > this.#committed, false);
  }

  #settle(isAffected: (answer: { readonly index: number }) => boolean, isCommitted: boolean): void {
    const affected = this.#waiting.filter(isAffected);
    this.#waiting = this.#waiting.filter((answer) => !isAffected(answer));
    for (const { settle } of affected) settle(isCommitted);
  }

  #storeStranger(): void {
    const pet: Pet = { id: BigInt(1 + this.random(8)), name: 'stranger', categoryId: 0n };
    const changed = withPet(this.#newest, { pet });
    if (changed !== undefined) this.#states.push(changed);
  }

  #expireOne(): void {
    const texts = [...this.#newest.reservations.keys()];
    const text = texts[this.random(Math.max(1, texts.length))];
    const holders = text === undefined ? undefined : this.#newest.reservations.get(text)?.confirmedBy;
    if (text === undefined || holders === undefined) return;
    if ([...holders].some(({ hasEnded, inFlight }) => !hasEnded || inFlight > 0)) return;
    const reservations = new Map(this.#newest.reservations);
    reservations.delete(text);
    if (this.animalsOf(text).length > 0) {
      this.expiredWithAnimal.set(text, (this.expiredWithAnimal.get(text) ?? 0) + 1);
    }
    this.#states.push({ ...this.#newest, reservations });
  }
}

function withPet(state: State, stored: StoredPet): State | undefined {
  if (state.pets.has(stored.pet.id)) return undefined;
  return { ...state, pets: new Map(state.pets).set(stored.pet.id, stored) };
}

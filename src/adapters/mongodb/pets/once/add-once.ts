import { replayCreation, type PetCreation } from '../../../../domain/idempotency-key.js';
import { makePet, type NewPet, type Pet } from '../../../../domain/pet.js';

/**
 * The reservation of one text, and the animal that it stands for, in a database where an answer may be lost, where a read may
 * show less than is stored, and where concurrent calls do the same.
 *
 * Each write resolves once it is durable. A step that rejects may or may not have changed the database.
 */
export interface Reservation {
  /** Stores the reservation with this animal. `false` if there is one, or if another call is just storing one. */
  reserve(pet: Pet): Promise<boolean>;
  /** The animal of the reservation, if the reservation is durable. */
  reserved(): Promise<Pet | undefined>;
  /** Lets the reservation live on for as long as a new one. `false` if there is none with this id. */
  renew(id: bigint): Promise<boolean>;
  /** Gives the animal of the reservation another id, if it still has the first one. */
  move(from: bigint, to: bigint): Promise<void>;
  /** Stores the animal, with the mark of this text. `false` if its id is taken. */
  store(pet: Pet): Promise<boolean>;
  /** What stands at the animal's id: this animal with the mark of this text, anything else, or nothing durable. */
  standing(pet: Pet): Promise<'ours' | 'foreign' | 'none'>;
}

/** What {@link addOnce} needs in addition. */
export interface AddOnceOptions {
  /** Returns an id that no animal has, as far as is known. */
  readonly nextId: () => Promise<bigint>;
  /** Called with an id of `nextId` that turned out to be taken. */
  readonly reportTaken: (id: bigint) => void;
  /** Whether a step that rejected so may be tried again, because its answer was lost. */
  readonly isLost: (error: unknown) => boolean;
  /** Resolves after a while. Rejects if the deadline has passed. */
  readonly pause: () => Promise<unknown>;
}

/**
 * Stores an animal once: the protocol of ADR 70, in which the steps have letters. It holds whatever answers are lost, and
 * wherever calls are ended, because each round starts again from the beginning and trusts only what a write of its own has confirmed:
 *
 * - The first durable reservation decides the animal. Later ones find it, and take its animal or refuse theirs.
 * - An animal with the mark stands only at an id that its reservation had. The reservation leaves an id only if something
 *   else is durable there, so the animal can never come to stand there later.
 * - That there is no animal yet is concluded from an insert that succeeds, never from a read. That the reservation is still
 *   there is concluded from a write to it by this call.
 */
export async function addOnce(
  reservation: Reservation,
  newPet: NewPet,
  { nextId, reportTaken, isLost, pause }: AddOnceOptions,
): Promise<PetCreation> {
  let id = await nextId();
  let isFirst = false;

  /** One round. `undefined` if another one is needed. */
  const attempt = async (): Promise<Pet | undefined> => {
    // a) Reserve, or find the reservation. One that cannot be read yet may vanish, and is tried again.
    const mine = makePet(id, newPet);
    const isMine = await reservation.reserve(mine);
    isFirst ||= isMine;
    const pet = isMine ? mine : await reservation.reserved();
    if (pet === undefined) return undefined;
    // b) Another animal has the text.
    replayCreation(pet, newPet);
    if (!isMine) {
      // c) Look for the animal.
      const standing = await reservation.standing(pet);
      if (standing === 'ours') return pet;
      if (standing === 'foreign') {
        // e) Leave the id to the stranger.
        if (pet.id === id) {
          reportTaken(id);
          id = await nextId();
        }
        await reservation.move(pet.id, id);
        return undefined;
      }
      if (!(await reservation.renew(pet.id))) return undefined;
    }
    // d) Store the animal. If its id is taken, the next round finds out by whom.
    return (await reservation.store(pet)) ? pet : undefined;
  };

  for (;;) {
    try {
      const pet = await attempt();
      if (pet !== undefined) return { pet, replayed: !isFirst };
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await pause();
  }
}

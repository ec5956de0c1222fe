import { PET_MEMBER_NAMES, type NewPetInput } from '../../domain/pet.js';

/** One animal of a file to import. */
export interface FilePet {
  /** The line on which it begins, as an editor counts: from 1, with the line of the header. */
  readonly line: number;
  /** Its line, or its lines, as the file has them. */
  readonly text: string;
  /** What was read. The values may have any type; `createPet` checks them. It is left out if nothing could be read. */
  readonly input?: NewPetInput;
  /** Why nothing could be read. */
  readonly fault?: string;
}

/** What a file of new animals is read with. */
export interface FilePetsOptions {
  /** Called once for each member that animals do not have, which is ignored. */
  readonly onIgnored?: ((member: string) => void) | undefined;
}

/** The members of a new animal. */
export const MEMBERS: ReadonlySet<string> = new Set(PET_MEMBER_NAMES);

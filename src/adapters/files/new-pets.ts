import { PET_MEMBER_NAMES, type NewPetInput } from '../../domain/pet.js';

/** One animal of a file to import. */
export interface FilePet {
  /** The line on which it begins, as an editor counts: from 1, with the line of the header. */
  readonly line: number;
  /** The text of its line or lines, as in the file. */
  readonly text: string;
  /** The animal as read. Its values may have any type; `createPet` checks them. Missing if it could not be read. */
  readonly input?: NewPetInput;
  /** Why the animal could not be read. */
  readonly fault?: string;
}

/** Options for reading a file of new animals. */
export interface FilePetsOptions {
  /** Called once for each member that animals do not have, which is ignored. */
  readonly onIgnored?: ((member: string) => void) | undefined;
  /** Called with the header of the file, if its format has one, before the first animal. */
  readonly onHeader?: ((text: string) => void) | undefined;
}

/** The names of the members of a new animal. */
export const NEW_PET_MEMBERS: ReadonlySet<string> = new Set(PET_MEMBER_NAMES);

import { messageOfFaults } from '../../domain/errors.js';
import type { PetRecord } from '../../domain/pet-catalogue.js';
import {
  faultsOfNewPet,
  makePet,
  PET_ID_RULE,
  PET_MEMBER_NAMES,
  PET_MEMBERS,
  type NewPet,
  type Pet,
} from '../../domain/pet.js';
import type { Row, Value } from './statement.js';

const COLUMNS_OF_MEMBERS: Readonly<Record<keyof NewPet, readonly [column: string, type: string]>> = {
  name: ['name', 'text'],
  categoryId: ['category_id', 'bigint'],
  status: ['status', 'text'],
};
const WRITTEN = [...PET_MEMBER_NAMES.map((member) => COLUMNS_OF_MEMBERS[member]), ['digest', 'bytea'] as const];

export const COLUMNS = WRITTEN.map(([column]) => column).join(', ');

/** The columns that {@link petOf} and {@link recordOf} read. The digest is in hexadecimal digits. */
export const READ_COLUMNS = `id, ${COLUMNS.replace('digest', "encode(digest, 'hex')")}`;

/** For the arrays of {@link valuesOf}. */
export function parametersFrom(first: number): string {
  return WRITTEN.map(([, type], i) => `$${first + i}::${type}[]`).join(', ');
}

/** A row that another program wrote, and that this adapter cannot read. `message` names it and says what is wrong. */
export class MalformedRowError extends Error {
  override readonly name = 'MalformedRowError';

  constructor(id: bigint, rule: string) {
    super(`the row of the table pets with the id ${id} is malformed: ${rule}`);
  }
}

/** `digest` is the SHA-256 of the idempotency key, in hexadecimal digits. */
export interface Keyed {
  readonly newPet: NewPet;
  readonly digest: string | undefined;
}

/** An array for each column, with an element for each animal. */
export function valuesOf(animals: readonly Keyed[]): Value[] {
  return [
    ...PET_MEMBER_NAMES.map((member) => animals.map(({ newPet }) => newPet[member]?.toString() ?? null)),
    animals.map(({ digest }) => (digest === undefined ? null : `\\x${digest}`)),
  ];
}

/** It may be less than 1: then the row is no animal. */
export function idOf([id]: Row): bigint {
  return BigInt(id as string);
}

export function petOf(row: Row): Pet {
  const id = idOf(row);
  if (id < 1n) throw new MalformedRowError(id, `id ${PET_ID_RULE}`);
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  for (const [i, member] of PET_MEMBER_NAMES.entries()) {
    const text = row[i + 1] ?? undefined;
    const { parse = String } = PET_MEMBERS[member];
    members[member] = text && parse(text);
  }
  const newPet = members as NewPet;
  const faults = faultsOfNewPet(newPet);
  if (faults.length > 0) throw new MalformedRowError(id, messageOfFaults(faults));
  return makePet(id, newPet);
}

export function digestOf(row: Row): string | undefined {
  return row.at(-1) ?? undefined;
}

export function recordOf(row: Row): PetRecord {
  const idempotencyDigest = digestOf(row);
  return { pet: petOf(row), ...(idempotencyDigest !== undefined && { idempotencyDigest }) };
}

/**
 * Every code of an {@link AnimalStoreError}. A code never changes its meaning:
 *
 * - `invalid_pet`: the animal to create breaks a rule of the domain; nothing was stored.
 * - `invalid_query`: the query of a list breaks a rule.
 * - `pet_not_found`: no animal has this id.
 * - `creation_aborted`: the signal of a creation was aborted while it ran. The animal may or may not be stored.
 * - `idempotency_key_reused`: the idempotency key belongs to the creation of another animal; nothing was stored.
 * - `idempotency_not_supported`: the catalogue has no `addOnce`; nothing was stored.
 * - `invalid_key_request`: the name, lifetime or overlap asked for an API key breaks a rule; nothing was changed.
 * - `api_key_not_found`: no API key has this id.
 * - `api_key_not_active`: the API key to rotate was revoked or has expired; nothing was changed.
 * - `invalid_record`: a record to restore breaks a rule; it and those after it were not stored.
 * - `restore_conflict`: the store already has something else with the id or the idempotency key of a record, and kept it.
 * - `transfer_not_supported`: the store cannot restore the records.
 * - `store_unavailable`: the database did not answer in time. The change may or may not be stored.
 */
export const ANIMAL_STORE_ERROR_CODES = [
  'invalid_pet',
  'invalid_query',
  'pet_not_found',
  'creation_aborted',
  'idempotency_key_reused',
  'idempotency_not_supported',
  'invalid_key_request',
  'api_key_not_found',
  'api_key_not_active',
  'invalid_record',
  'restore_conflict',
  'transfer_not_supported',
  'store_unavailable',
] as const;

/** One of {@link ANIMAL_STORE_ERROR_CODES}. */
export type AnimalStoreErrorCode = (typeof ANIMAL_STORE_ERROR_CODES)[number];

/** One member of an input, and the rule that it breaks. */
export interface Fault {
  /** The name of the member, such as `name`. */
  readonly member: string;
  /** The rule. It follows the member's name in a sentence: `must be …`. */
  readonly rule: string;
}

/**
 * The error for every failure that the animal store expects. Tell failures apart by `code`; `message` is for people. `cause` is
 * the error that led to this one, if there is one.
 */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError';
  readonly code: AnimalStoreErrorCode;
  /**
   * Every member that breaks a rule, in the order of the input's members, for `invalid_pet`, `invalid_query` and
   * `invalid_key_request`. Empty for every other code, and if the input was not an object.
   */
  readonly faults: readonly Fault[];

  /** @param reason The message, or the faults for the message to list. */
  constructor(code: AnimalStoreErrorCode, reason: string | readonly Fault[], options?: ErrorOptions) {
    super(typeof reason === 'string' ? reason : messageOfFaults(reason), options);
    this.code = code;
    this.faults = typeof reason === 'string' ? [] : reason;
  }
}

export function faultsOf(...members: readonly (readonly [member: string, isValid: boolean, rule: string])[]): Fault[] {
  const faults: Fault[] = [];
  for (const [member, isValid, rule] of members) if (!isValid) faults.push({ member, rule });
  return faults;
}

export function messageOfFaults(faults: readonly Fault[]): string {
  return faults.map(({ member, rule }) => `${member} ${rule}`).join('; ');
}

/**
 * Whether a caught value is an {@link AnimalStoreError}. Unlike `instanceof`, also recognises an error of another copy of this
 * package or from another realm. Does not recognise a structured clone, such as a worker receives, because a clone has neither
 * the name nor the code.
 */
export function isAnimalStoreError(value: unknown): value is AnimalStoreError {
  if (Object.prototype.toString.call(value) !== '[object Error]') return false;
  const { name, code } = value as { readonly name?: unknown; readonly code?: unknown };
  return name === 'AnimalStoreError' && (ANIMAL_STORE_ERROR_CODES as readonly unknown[]).includes(code);
}

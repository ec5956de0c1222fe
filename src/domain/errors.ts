/**
 * Every code of an {@link AnimalStoreError}. A code never changes its meaning:
 *
 * - `invalid_pet`: the animal to create breaks a rule of the domain; nothing was stored.
 * - `invalid_query`: the query of a list breaks a rule.
 * - `pet_not_found`: no animal has the id asked for.
 * - `store_unavailable`: the store did not answer in time. A creation that ends so may or may not be stored.
 */
export const ANIMAL_STORE_ERROR_CODES = ['invalid_pet', 'invalid_query', 'pet_not_found', 'store_unavailable'] as const;

/** One of {@link ANIMAL_STORE_ERROR_CODES}. */
export type AnimalStoreErrorCode = (typeof ANIMAL_STORE_ERROR_CODES)[number];

/**
 * Every failure that the animal store foresees. Tell them apart by `code`; `message` is for people and names each value
 * at fault and the rule that it broke. Where another error led to this one, it is the `cause`.
 */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError';
  readonly code: AnimalStoreErrorCode;

  constructor(code: AnimalStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Whether a caught value is an {@link AnimalStoreError}: also one of another copy of this package, or from another realm,
 * which `instanceof` would miss.
 */
export function isAnimalStoreError(value: unknown): value is AnimalStoreError {
  if (value instanceof AnimalStoreError) return true;
  if (Object.prototype.toString.call(value) !== '[object Error]') return false;
  const { name, code } = value as { readonly name?: unknown; readonly code?: unknown };
  return name === 'AnimalStoreError' && (ANIMAL_STORE_ERROR_CODES as readonly unknown[]).includes(code);
}

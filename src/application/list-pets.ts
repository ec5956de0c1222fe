import { throwIfAborted, type CallOptions } from '../domain/call-options.js';
import { AnimalStoreError, faultsOf } from '../domain/errors.js';
import { INT64_RULE, int64RuleFor, toInt64, type Int64Like } from '../domain/int64.js';
import type { PetCatalogue, PetPage, PetQuery } from '../domain/pet-catalogue.js';
import { isPetStatus, PET_STATUSES, type PetStatus } from '../domain/pet-status.js';

/** The limits of {@link ListPetsInput.limit}. */
export const LIST_LIMIT = { minimum: 1, maximum: 100, default: 20 } as const;

/** The input of a list. */
export interface ListPetsInput {
  /** The maximum number of animals to return: an integer from 1 to 100. @default 20 */
  readonly limit?: number | undefined;
  /** Only animals with this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals whose id is greater: the `next` of the previous page. */
  readonly after?: Int64Like | undefined;
}

export const QUERY_RULES = {
  limit: `must be an integer from ${LIST_LIMIT.minimum} to ${LIST_LIMIT.maximum}`,
  status: `must be one of ${PET_STATUSES.join(', ')}`,
  after: INT64_RULE,
} as const satisfies Record<keyof PetQuery, string>;

export function makeListPets(
  catalogue: PetCatalogue,
): (input?: ListPetsInput, options?: CallOptions) => Promise<PetPage> {
  return async (input = {}, options = {}) => {
    if (typeof input !== 'object' || (input as unknown) === null) {
      throw new AnimalStoreError('invalid_query', 'a query must be an object');
    }
    const query = makePetQuery(input);
    throwIfAborted(options.signal);
    return await catalogue.list(query, options);
  };
}

function makePetQuery({ limit = LIST_LIMIT.default, status, after }: ListPetsInput): PetQuery {
  const afterId = toInt64(after);
  const isLimit = Number.isInteger(limit) && limit >= LIST_LIMIT.minimum && limit <= LIST_LIMIT.maximum;
  const faults = faultsOf(
    ['limit', isLimit, QUERY_RULES.limit],
    ['status', status === undefined || isPetStatus(status), QUERY_RULES.status],
    ['after', after === undefined || afterId !== undefined, int64RuleFor(after)],
  );
  if (faults.length > 0) throw new AnimalStoreError('invalid_query', faults);
  return {
    limit,
    ...(status !== undefined && { status }),
    // No id is below 1.
    ...(afterId !== undefined && { after: afterId > 0n ? afterId : 0n }),
  };
}

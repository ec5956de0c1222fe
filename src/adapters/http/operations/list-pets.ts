import type { AnimalStore } from '../../../application/animal-store.js';
import { LIST_LIMIT, QUERY_RULES, type ListPetsInput } from '../../../application/list-pets.js';
import { messageOfFaults, type Fault } from '../../../domain/errors.js';
import { parseInt64 } from '../../../domain/int64.js';
import { isPetStatus } from '../../../domain/pet-status.js';
import { petsJson } from '../bodies/pet-json.js';
import { examplePets, int64Schema, ref } from '../bodies/schemas.js';
import { HttpError, methodNotAllowed } from '../pipeline/errors.js';
import { jsonResponse } from '../pipeline/http-response.js';
import type { Operation } from '../pipeline/operation.js';
import {
  errorResponses,
  jsonContent,
  optionalHeader,
  PETS_TAG,
  responseObject,
  type OperationDescription,
} from './description.js';

export function listPets(store: AnimalStore, basePath: string): Operation {
  return {
    method: 'GET',
    path: '/pets',
    async handle({ request, query: querystring }) {
      const query = parseListQuery(querystring);
      const { pets, next } = await store.listPets(query, { signal: request.signal });
      const response = jsonResponse(200, petsJson(pets));
      if (next !== undefined) response.headers.push('Link', nextLink(request.mountPath, query, next));
      return response;
    },
  };

  function nextLink(mountPath: string, { limit, status }: ListPetsInput, after: bigint): string {
    const own = `${limit === undefined ? '' : `limit=${limit}&`}${status === undefined ? '' : `status=${status}&`}`;
    return `<${mountPath}${basePath}/pets?${own}after=${after}>; rel="next"`;
  }
}

export function describeListPets(basePath: string): OperationDescription {
  return {
    operationId: 'listPets',
    summary: 'List animals by ascending id',
    tags: [PETS_TAG],
    description:
      'If there are more animals, the response has the header field `Link: <…>; rel="next"` with the address of the next page, which keeps `limit` and `status`. Follow it until a response has none. The pages then show each animal whose creation was answered before the first page exactly once.\n\nUnknown parameters are ignored. A parameter that is empty or given twice is answered with 400.',
    parameters: [
      queryParameter('limit', { type: 'integer', ...LIST_LIMIT }, 'Maximum number of animals returned'),
      queryParameter('status', ref('PetStatus'), 'Restricts the result to animals with that status'),
      queryParameter('after', int64Schema, 'Only animals whose id is greater; the link to the next page sets it'),
    ],
    responses: {
      200: responseObject(
        'A page of animals',
        {
          Link: optionalHeader(
            'The next page, `rel="next"` (RFC 8288); the last page has none',
            `<${basePath}/pets?limit=2&after=2>; rel="next"`,
          ),
        },
        jsonContent('Pets', { page: Object.values(examplePets), empty: [] }),
      ),
      ...errorResponses({
        invalid_parameter: `limit ${PARAMETER_RULES.limit}`,
        method_not_allowed: methodNotAllowed('GET, HEAD, POST').message,
      }),
    },
  };
}

function queryParameter(name: string, schema: object, description: string) {
  return { name, in: 'query', required: false, schema, description } as const;
}

/** The core's rules, plus the notation of numbers. */
const PARAMETER_RULES = {
  limit: `${QUERY_RULES.limit}, in decimal digits without sign or leading zero`,
  status: QUERY_RULES.status,
  after: `${QUERY_RULES.after}, in decimal digits without plus sign or leading zero`,
};

function parseListQuery(querystring: string): ListPetsInput {
  if (querystring === '') return {};
  const params = new URLSearchParams(`?${querystring}`);
  const faults: Fault[] = [];

  function read<T>(name: keyof typeof PARAMETER_RULES, parse: (text: string) => T | undefined): T | undefined {
    const [text, second] = params.getAll(name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (second !== undefined) faults.push({ member: name, rule: 'must be given once' });
    else if (value === undefined) faults.push({ member: name, rule: PARAMETER_RULES[name] });
    return value;
  }

  const query = {
    limit: read('limit', parseLimit),
    status: read('status', (text) => (isPetStatus(text) ? text : undefined)),
    after: read('after', parseInt64),
  };
  if (faults.length > 0) throw new HttpError('invalid_parameter', messageOfFaults(faults));
  return query;
}

function parseLimit(text: string): number | undefined {
  const limit = Number(parseInt64(text));
  return limit >= LIST_LIMIT.minimum && limit <= LIST_LIMIT.maximum ? limit : undefined;
}

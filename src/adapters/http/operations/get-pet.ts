import type { AnimalStore } from '../../../application/animal-store.js';
import { petNotFound } from '../../../application/get-pet.js';
import { parseInt64 } from '../../../domain/int64.js';
import { keptPetJson } from '../bodies/pet-json.js';
import { examplePets, int64Schema } from '../bodies/schemas.js';
import { methodNotAllowed, TRAILING_SLASH } from '../pipeline/errors.js';
import { jsonResponse } from '../pipeline/http-response.js';
import type { Operation } from '../pipeline/operation.js';
import {
  errorResponses,
  jsonContent,
  optionalHeader,
  PETS_TAG,
  responseObject,
  type OperationDescription,
  type Responses,
} from './description.js';

const GET_PET_PATH = '/pets/:petId';

/** 20 November 2026 (RFC 9745). */
const DEPRECATED_SINCE = '@1795132800';
const SUNSET_DAY = '2030-12-05';
/** As an HTTP date (RFC 8594): `Thu, 05 Dec 2030 00:00:00 GMT`. */
const SUNSET = new Date(SUNSET_DAY).toUTCString();

function linkToSuccessor(mountPath: string, basePath: string): string {
  return `<${mountPath}${basePath}/pets>; rel="successor-version"`;
}

/** The id is the last segment of the path as sent, not decoded. */
export function getPet(store: AnimalStore, basePath: string): Operation {
  return {
    method: 'GET',
    path: GET_PET_PATH,
    async handle({ request, path }) {
      const id = parseInt64(path.slice(path.lastIndexOf('/') + 1));
      if (id === undefined) throw petNotFound('petId is not an int64 in plain decimal digits: no animal has it');
      return jsonResponse(200, keptPetJson(await store.getPet(id, { signal: request.signal })));
    },
    /** Every response but a 401 announces the deprecation, and links to the list, which replaces the operation (RFC 5829). */
    addHeaders(headers, request, status) {
      if (status === 401) return;
      const successor = linkToSuccessor(request.mountPath, basePath);
      headers.push('Deprecation', DEPRECATED_SINCE, 'Sunset', SUNSET, 'Link', successor);
    },
  };
}

export function describeGetPet(basePath: string): OperationDescription {
  return {
    operationId: 'getPet',
    summary: 'Get one animal',
    tags: [PETS_TAG],
    description:
      '**Deprecated: will be removed on 5 December 2030.** Use the list, with its filter `status`, instead. Responses announce this in `Deprecation`, `Sunset` and `Link`.\n\nAny id other than an int64 in plain decimal digits is answered with 404.',
    deprecated: true,
    'x-sunset': SUNSET_DAY,
    parameters: [
      {
        name: 'petId',
        in: 'path',
        required: true,
        schema: int64Schema,
        description: 'Identifier of the animal to retrieve',
      },
    ],
    responses: withAnnouncement(linkToSuccessor('', basePath), {
      200: responseObject('The animal', {}, jsonContent('Pet', examplePets)),
      ...errorResponses({
        pet_not_found: petNotFound().message,
        route_not_found: TRAILING_SLASH.message,
        method_not_allowed: methodNotAllowed('GET, HEAD').message,
      }),
    }),
  };
}

function withAnnouncement(successor: string, responses: Responses): Responses {
  const announcement = {
    Deprecation: optionalHeader(
      'Since when the operation is deprecated: seconds since 1970 (RFC 9745)',
      DEPRECATED_SINCE,
    ),
    Sunset: optionalHeader('When the operation is removed (RFC 8594)', SUNSET),
    Link: optionalHeader('The operation that replaces this one, `rel="successor-version"` (RFC 5829)', successor),
  };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const headers = status === '401' ? response.headers : { ...announcement, ...response.headers };
      return [status, { ...response, headers }];
    }),
  );
}

import type { AnimalStore } from '../../../application/animal-store.js';
import { parseInt64 } from '../../../domain/int64.js';
import { jsonAnswer } from '../answer.js';
import { HttpError } from '../errors.js';
import type { Operation } from '../operation.js';
import { petJson } from '../json/pet-json.js';
import { clientPath } from '../request.js';
import { idSchema } from '../json/schemas.js';
import { EVERYWHERE, failures, header, success } from '../description.js';

/** The path of the operation, below the base path. */
export const GET_PET_PATH = '/pets/:petId';

/** 20 November 2026, as RFC 9745 writes it. */
const DEPRECATED_SINCE = '@1795132800';
/** When the operation is removed (RFC 8594). */
const SUNSET = 'Thu, 05 Dec 2030 00:00:00 GMT';

function linkToSuccessor(basePath: string): string {
  return `<${basePath}/pets>; rel="successor-version"`;
}

/** `GET /pets/{petId}`: one animal. The id is the path's last segment as sent, not decoded. */
export function getPet(store: AnimalStore, basePath: string): Operation {
  const successor = linkToSuccessor(basePath);
  return {
    method: 'GET',
    path: GET_PET_PATH,
    async handle({ request: { path } }) {
      const id = parseInt64(path.slice(path.lastIndexOf('/') + 1));
      if (id === undefined)
        throw new HttpError('pet_not_found', 'petId is not an int64 in plain decimal digits: no animal has it');
      return jsonAnswer(200, petJson(await store.getPet(id)));
    },
    /** Every answer except a 401 announces the deprecation, and links to the list, which replaces the operation (RFC 5829). */
    addHeaders(headers, request, status) {
      if (status === 401) return;
      const link = request.mountPath === '' ? successor : linkToSuccessor(clientPath(request, basePath));
      headers.push('Deprecation', DEPRECATED_SINCE, 'Sunset', SUNSET, 'Link', link);
    },
    description: {
      operationId: 'getPet',
      summary: 'Get one animal',
      description: 'Deprecated: removed on 5 December 2030. Use the list with the status filter instead.',
      deprecated: true,
      parameters: [
        {
          name: 'petId',
          in: 'path',
          required: true,
          schema: idSchema,
          description: 'Identifier of the animal to retrieve',
        },
      ],
      responses: {
        200: success('Pet', 'The animal', {
          Deprecation: header('Since when the operation is deprecated (RFC 9745)'),
          Sunset: header('When the operation is removed (RFC 8594)'),
          Link: header('The operation that replaces this one, rel="successor-version"'),
        }),
        ...failures('pet_not_found', ...EVERYWHERE),
      },
    },
  };
}

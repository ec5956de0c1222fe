import type { AnimalStore } from '../../../application/animal-store.js';
import type { ListPetsInput } from '../../../application/list-pets.js';
import { jsonAnswer } from '../answer.js';
import { KeptPages } from '../kept-pages.js';
import { parseListQuery } from './list-query.js';
import type { Operation } from '../operation.js';
import { petsJson } from '../json/pet-json.js';
import { clientPath, type HttpRequest } from '../request.js';
import { idSchema, limitSchema } from '../json/schemas.js';
import { EVERYWHERE, failures, header, ref, success } from './description.js';

/** `GET /pets`: a page of animals, with a link to the next page (RFC 8288) if there is more. */
export function listPets(store: AnimalStore, basePath: string): Operation {
  const keptPages = new KeptPages();
  return {
    method: 'GET',
    path: '/pets',
    async handle({ request }) {
      const query = parseListQuery(request.query);
      const { pets, next } = await store.listPets(query);
      const text = keptPages.textOf(request.query, pets, petsJson);
      return jsonAnswer(200, text, next === undefined ? [] : ['Link', nextLink(request, query, next)]);
    },
    description: {
      operationId: 'listPets',
      summary: 'List animals by ascending id',
      parameters: [
        queryParameter('limit', limitSchema, 'Maximum number of animals returned'),
        queryParameter('status', ref('PetStatus'), 'Restricts the result to animals with that status'),
        queryParameter('after', idSchema, 'Only animals whose id is greater; the link to the next page sets it'),
      ],
      responses: {
        200: success('Pets', 'A page of animals', {
          Link: header('The next page, rel="next"; the last page has none'),
        }),
        ...failures('invalid_parameter', ...EVERYWHERE),
      },
    },
  };

  function nextLink(request: HttpRequest, { limit, status }: ListPetsInput, after: bigint): string {
    const own = `${limit === undefined ? '' : `limit=${limit}&`}${status === undefined ? '' : `status=${status}&`}`;
    return `<${clientPath(request, basePath)}/pets?${own}after=${after}>; rel="next"`;
  }
}

function queryParameter(name: string, schema: object, description: string): object {
  return { name, in: 'query', required: false, schema, description };
}

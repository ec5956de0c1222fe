import type { AnimalStore } from '../../application/animal-store.js';
import type { ListPetsInput } from '../../application/list-pets.js';
import { jsonAnswer, type Operation } from './answer.js';
import { parseListQuery } from './list-query.js';
import { petsJson } from './pet-json.js';
import { clientPath, type Context } from './request.js';

/** `GET /pets`: a page of animals, with a link to the next one (RFC 8288) where there is more. */
export function listPets(store: AnimalStore, petsPath: string): Operation {
  return async (ctx) => {
    const query = parseListQuery(ctx.querystring);
    const { pets, next } = await store.listPets(query);
    return jsonAnswer(200, petsJson(pets), next === undefined ? {} : { Link: nextLink(ctx, petsPath, query, next) });
  };
}

function nextLink(ctx: Context, petsPath: string, { limit, status }: ListPetsInput, after: bigint): string {
  const own = `${limit === undefined ? '' : `limit=${limit}&`}${status === undefined ? '' : `status=${status}&`}`;
  return `<${clientPath(ctx, petsPath)}?${own}after=${after}>; rel="next"`;
}

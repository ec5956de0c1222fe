import type { AnimalStore } from '../../application/animal-store.js';
import { parseInt64 } from '../../domain/int64.js';
import { jsonAnswer, type Answer, type Operation } from './answer.js';
import { HttpError } from './errors.js';
import { petJson } from './pet-json.js';
import { clientPath, type Context } from './request.js';

/** `GET /pets/{petId}`: one animal. The id is the path's last segment as it was sent, not decoded. */
export function getPet(store: AnimalStore): Operation {
  return async ({ path }) => {
    const id = parseInt64(path.slice(path.lastIndexOf('/') + 1));
    if (id === undefined)
      throw new HttpError('pet_not_found', 'petId is not an int64 in plain decimal digits: no animal has it');
    return jsonAnswer(200, petJson(await store.getPet(id)));
  };
}

/**
 * Announces on every answer but a 401 that the operation is deprecated since 20 November 2026 (RFC 9745) and goes away
 * on 5 December 2030 (RFC 8594), in favour of the list (RFC 5829).
 */
export function announceDeprecation(petsPath: string): (ctx: Context, answer: Answer) => Answer {
  return (ctx, answer) => {
    if (answer.status === 401) return answer;
    const headers = {
      ...answer.headers,
      Deprecation: '@1795132800',
      Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      Link: `<${clientPath(ctx, petsPath)}>; rel="successor-version"`,
    };
    return { ...answer, headers };
  };
}

import { checkedOptions, type HttpInterfaceOptions } from './http-interface-options.js';
import { PetJsonCache } from './json/pet-json.js';
import { createPet } from './operations/create-pet.js';
import { getPet } from './operations/get-pet.js';
import { livez, readyz } from './operations/health.js';
import { listPets } from './operations/list-pets.js';
import { authenticate } from './pipeline/authenticate.js';
import { allowOrigins } from './pipeline/cors.js';
import { createPipeline, type HttpInterface } from './pipeline/pipeline.js';
import { rateLimit } from './pipeline/rate-limit.js';
import { openApiDocument, openApiJson } from './reference/openapi.js';

/**
 * Creates the HTTP interface of an animal store, for a transport to serve.
 *
 * @throws TypeError for an invalid option: a base path, a limit or an origin.
 */
export function createHttpInterface(options: HttpInterfaceOptions): HttpInterface {
  const { store, apiKeys, basePath, bodyLimit, rateLimiter, corsOrigins, isReady, servers, reference, ...others } =
    checkedOptions(options);
  const texts = new PetJsonCache();

  // Under the base path, for requests with a valid API key:
  const protectedOperations = [
    listPets(store, basePath, texts),
    createPet(store, basePath, bodyLimit),
    getPet(store, basePath, texts),
  ];
  // Outside it, without a key:
  const document = JSON.stringify(openApiDocument(protectedOperations, servers));
  const publicOperations = [livez, readyz(isReady), openApiJson(document), ...(reference?.(servers) ?? [])];

  return createPipeline({
    ...others,
    basePath,
    bodyLimit,
    protectedOperations,
    publicOperations,
    // What a request under the base path must pass, in this order:
    guards: [authenticate(apiKeys), ...(rateLimiter === undefined ? [] : [rateLimit(rateLimiter)])],
    cors: corsOrigins.length === 0 ? undefined : allowOrigins(corsOrigins),
  });
}

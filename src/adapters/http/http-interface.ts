import { checkOptions, type HttpInterfaceOptions } from './http-interface-options.js';
import { createPet } from './operations/create-pet.js';
import { getPet } from './operations/get-pet.js';
import { livez, readyz } from './operations/health.js';
import { listPets } from './operations/list-pets.js';
import { authenticate } from './pipeline/authenticate.js';
import { allowOrigins } from './pipeline/cors.js';
import { DEFAULT_BODY_LIMIT } from './pipeline/limits.js';
import { consoleLog, safeLog } from './pipeline/log.js';
import { createPipeline, type HttpInterface } from './pipeline/pipeline.js';
import { rateLimit } from './pipeline/rate-limit.js';
import { DEFAULT_BASE_PATH } from './pipeline/target.js';
import { openApiJson, thisService } from './operations/openapi.js';

/**
 * Creates the HTTP interface of an animal store, for a transport to serve.
 *
 * @throws TypeError for an invalid option: a base path, a limit or an origin.
 */
export function createHttpInterface({
  store,
  apiKeys,
  basePath = DEFAULT_BASE_PATH,
  bodyLimit = DEFAULT_BODY_LIMIT,
  maxInFlight = Infinity,
  rateLimiter,
  corsOrigins = [],
  isReady = () => true,
  servers = [thisService(basePath)],
  reference,
  log = consoleLog,
  onResponse,
  trustProxy,
}: HttpInterfaceOptions): HttpInterface {
  checkOptions(basePath, bodyLimit, maxInFlight, corsOrigins);
  const guardedLog = safeLog(log);

  const protectedOperations = [listPets(store, basePath), createPet(store, basePath), getPet(store, basePath)];
  const document = openApiJson({ basePath, bodyLimit, servers });
  const publicOperations = [livez, readyz(isReady, guardedLog), document, ...(reference?.(servers) ?? [])];

  return createPipeline({
    basePath,
    bodyLimit,
    maxInFlight,
    protectedOperations,
    publicOperations,
    guards: [authenticate(apiKeys), ...(rateLimiter === undefined ? [] : [rateLimit(rateLimiter)])],
    cors: corsOrigins.length === 0 ? undefined : allowOrigins(corsOrigins),
    log: guardedLog,
    onResponse,
    trustProxy,
  });
}

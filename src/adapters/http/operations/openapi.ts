import { jsonAnswer } from '../answer.js';
import type { Operation } from '../operation.js';
import { errorSchema, newPetSchema, petSchema, petStatusSchema } from '../json/schemas.js';
import { ref } from '../description.js';

/** An address of the service. */
export interface ApiServer {
  /** Absolute, or relative to the OpenAPI document; it ends in `/v1`. */
  readonly url: string;
  readonly description: string;
}

/** The address of this service, relative to the OpenAPI document, so that "Try it out" works under any host name. */
export function thisService(basePath: string): ApiServer {
  return { url: basePath.slice(1), description: 'This service' };
}

/** `GET /openapi.json`: these operations in OpenAPI 3.1. */
export function openApiJson(operations: readonly Operation[], servers: readonly ApiServer[]): Operation {
  const answer = jsonAnswer(200, JSON.stringify(openApiDocument(operations, servers)));
  return { method: 'GET', path: '/openapi.json', handle: () => answer };
}

function openApiDocument(operations: readonly Operation[], servers: readonly ApiServer[]): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Animal Store', version: '1.0.0', description: 'The catalogue of animals offered in a store.' },
    servers,
    security: [{ apiKey: [] }],
    paths: pathsOf(operations),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'The API key, as a bearer token' } },
      schemas: {
        NewPet: newPetSchema,
        Pet: petSchema,
        Pets: { type: 'array', items: ref('Pet') },
        PetStatus: petStatusSchema,
        Error: errorSchema,
      },
    },
  };
}

/** The Paths Object: a Path Item Object for each path, with its operations by method. */
function pathsOf(operations: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, description } of operations) {
    if (description === undefined) continue;
    const item = (paths[path.replace(/:(\w+)$/, '{$1}')] ??= {});
    item[method.toLowerCase()] = description;
  }
  return paths;
}

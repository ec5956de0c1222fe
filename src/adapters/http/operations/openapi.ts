import type { Operation } from '../pipeline/operation.js';
import { describeCreatePet } from './create-pet.js';
import { errorSchema, newPetSchema, petSchema, petStatusSchema, ref } from '../bodies/schemas.js';
import { commonHeaders, PETS_TAG } from './description.js';
import { describeGetPet } from './get-pet.js';
import { describeListPets } from './list-pets.js';
import { revalidatedText, serveFile } from './static-file.js';

/** An address of the service. */
export interface ApiServer {
  /** Absolute, or relative to the OpenAPI document; it ends in `/v1`. */
  readonly url: string;
  readonly description: string;
}

/** Relative, to work under any host name and path. Without `./`, tools that read the document from a file take a segment for a host. */
export function thisService(basePath: string): ApiServer {
  return { url: `.${basePath}`, description: 'This service' };
}

export function openApiJson(described: DescribedInterface): Operation {
  return serveFile({
    path: '/openapi.json',
    contentType: 'application/json; charset=utf-8',
    ...revalidatedText(JSON.stringify(openApiDocument(described))),
  });
}

const DESCRIPTION = [
  'The catalogue of animals offered in a store.',
  'Bodies are JSON in UTF-8. An error has a body of three members: a `code`, a `message` and the HTTP `status`. A code never changes its meaning, and later versions may add codes.',
  'Integers are 64-bit, in plain digits. `JSON.parse` and `JSON.stringify` of JavaScript round those beyond 2^53 − 1. Clients in JavaScript keep every digit with a parser such as `json-custom-numbers`, or with `RemotePetCatalogue` of `animal-store/remote`.',
  'Each response has an `X-Request-Id`, which identifies the request in the log of the service.',
].join('\n\n');

interface DescribedInterface {
  readonly basePath: string;
  /** In bytes. */
  readonly bodyLimit: number;
  readonly servers: readonly ApiServer[];
}

export function openApiDocument({ basePath, bodyLimit, servers }: DescribedInterface): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Animal Store',
      version: '1.0.0',
      description: DESCRIPTION,
      contact: { name: 'Animal Store' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    tags: [{ name: PETS_TAG, description: 'The animals of the store, available or not' }],
    security: [{ apiKey: [] }],
    paths: {
      '/pets': { get: describeListPets(basePath), post: describeCreatePet(basePath, bodyLimit) },
      '/pets/{petId}': { get: describeGetPet(basePath) },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, as a bearer token (RFC 6750): `Authorization: Bearer <key>`. The operator of the service issues keys, by `animal-store keys create` or in `API_KEYS`. A service that is started with neither, on the store `memory`, makes a key and prints it.',
        },
      },
      headers: commonHeaders,
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

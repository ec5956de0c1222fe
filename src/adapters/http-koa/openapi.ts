import { jsonAnswer, type Answer, type Operation } from './answer.js';
import { ERROR_STATUS, type ErrorCode } from './errors.js';
import { errorSchema, idSchema, limitSchema, newPetSchema, petSchema, petStatusSchema } from './schemas.js';

/** An address that the service is reached at. */
export interface ApiServer {
  /** Absolute, or relative to the OpenAPI document; it ends in `/v1`. */
  readonly url: string;
  readonly description: string;
}

/** `GET /openapi.json`: the interface in OpenAPI 3.1. */
export function openApiJson(servers: () => readonly ApiServer[]): Operation {
  let answer: Answer | undefined;
  return () => (answer ??= jsonAnswer(200, JSON.stringify(openApiDocument(servers()))));
}

const EVERYWHERE = [
  'bad_request',
  'unauthorized',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'store_unavailable',
] as const;

const ERROR_HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': header('The challenge of RFC 6750') },
  503: { 'Retry-After': header('After how many seconds to try again') },
};

function openApiDocument(servers: readonly ApiServer[]): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Animal Store', version: '1.0.0', description: 'The catalogue of animals offered in a store.' },
    servers,
    security: [{ apiKey: [] }],
    paths: {
      '/pets': { get: listPets, post: createPet },
      '/pets/{petId}': { get: getPet },
    },
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

const listPets = {
  operationId: 'listPets',
  summary: 'List animals by ascending id',
  parameters: [
    queryParameter('limit', limitSchema, 'Maximum number of animals returned'),
    queryParameter('status', ref('PetStatus'), 'Restricts the result to animals with that status'),
    queryParameter('after', idSchema, 'Only animals whose id is greater; the link to the next page sets it'),
  ],
  responses: {
    200: success('Pets', 'A page of animals', { Link: header('The next page, rel="next"; on the last page left out') }),
    ...failures('invalid_parameter', ...EVERYWHERE),
  },
};

const createPet = {
  operationId: 'createPet',
  summary: 'Add an animal',
  requestBody: { required: true, content: { 'application/json': { schema: ref('NewPet') } } },
  responses: {
    201: success('Pet', 'The animal, with its id', { Location: header('The path of the animal') }),
    ...failures('invalid_body', 'body_too_large', 'unsupported_media_type', ...EVERYWHERE),
  },
};

const getPet = {
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
      Sunset: header('When the operation goes away (RFC 8594)'),
      Link: header('What replaces the operation, rel="successor-version"'),
    }),
    ...failures('pet_not_found', ...EVERYWHERE),
  },
};

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function queryParameter(name: string, schema: object, description: string): object {
  return { name, in: 'query', required: false, schema, description };
}

function header(description: string): object {
  return { description, schema: { type: 'string' } };
}

function success(schema: string, description: string, headers: object): object {
  return { description, headers, content: { 'application/json': { schema: ref(schema) } } };
}

/** The error answers of an operation, by status; each one's description lists its codes. */
function failures(...codes: readonly ErrorCode[]): object {
  const content = { 'application/json': { schema: ref('Error') } };
  const statuses = new Set(codes.map((code) => ERROR_STATUS[code]));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const own = codes.filter((code) => ERROR_STATUS[code] === status).map((code) => `\`${code}\``);
      const headers = ERROR_HEADERS[status];
      return [status, { description: own.join(', '), ...(headers !== undefined && { headers }), content }];
    }),
  );
}

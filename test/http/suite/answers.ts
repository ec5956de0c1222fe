import type { Answer } from '../../support/answer.js';
import { createPet } from '../expectations.js';
import { onConnection } from '../../support/raw-connection.js';
import { get, getBeside, post, request, requestBytes, type RequestOptions, type Service } from '../service.js';

type Ask = (service: Service, options?: RequestOptions) => Promise<Answer>;

async function raw(service: Service, bytes: string | Uint8Array): Promise<Answer> {
  return onConnection(service.port, async (connection) => {
    connection.send(bytes);
    return connection.receive();
  });
}

/** One request for each kind of answer that the application gives under its base path; each takes further headers. */
export const UNDER_BASE_PATH: Readonly<Record<string, Ask>> = {
  'a list': async (service, options) => get(service, '/pets?limit=1', options),
  'an empty list': async (service, options) => get(service, '/pets?after=9223372036854775807', options),
  'a new animal': async (service, options) => post(service, '{"name":"Rex","categoryId":7}', options),
  'an animal': async (service, options) => get(service, `/pets/${(await createPet(service)).id}`, options),
  'an invalid parameter': async (service, options) => get(service, '/pets?limit=0', options),
  'an invalid body': async (service, options) => post(service, '{}', options),
  'a broken body': async (service, options) => post(service, '{', options),
  'a missing key': async (service, options) => get(service, '/pets', { ...options, authorization: null }),
  'a wrong key': async (service, options) => get(service, '/pets', { ...options, authorization: 'Bearer wrong' }),
  'a missing animal': async (service, options) => get(service, '/pets/0', options),
  'an unknown path': async (service, options) => get(service, '/nowhere', options),
  'an unknown method': async (service, options) => request(service, 'PUT', `${service.basePath}/pets`, options),
  'a body that is too large': async (service, options) => post(service, ' '.repeat(65_537), options),
  'another media type': async (service, options) => post(service, 'x', { ...options, contentType: 'text/plain' }),
};

/** The same outside the base path. */
export const BESIDE: Readonly<Record<string, Ask>> = {
  'an unknown path beside the base path': async (service, options) => getBeside(service, '/nowhere', options),
  liveness: async (service, options) => getBeside(service, '/livez', options),
  readiness: async (service, options) => getBeside(service, '/readyz', options),
  'the OpenAPI document': async (service, options) => getBeside(service, '/openapi.json', options),
};

/** One request for each kind of answer that the server gives before a request reaches the application. */
export const REFUSALS: Readonly<Record<string, (service: Service) => Promise<Answer>>> = {
  'bytes that are not HTTP': async (service) => raw(service, 'garbage\r\n\r\n'),
  'a missing Host': async (service) => raw(service, 'GET /livez HTTP/1.1\r\n\r\n'),
  'headers that are too large': async (service) =>
    raw(service, requestBytes(service, 'GET', '/livez', { headers: [['X', 'x'.repeat(20_000)]] })),
};

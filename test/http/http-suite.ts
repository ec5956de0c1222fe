import { expect } from 'chai';
import type { GetService, Service } from './service.js';
import { request } from './service.js';
import { declareAfterParameter } from './suite/after-parameter.js';
import { declareAuthentication } from './suite/authentication.js';
import { declareBodyEncoding } from './suite/body-encoding.js';
import { declareBodyLimit } from './suite/body-limit.js';
import { declareBodyMembers } from './suite/body-members.js';
import { declareBodyNesting } from './suite/body-nesting.js';
import { declareBodyNumbers } from './suite/body-numbers.js';
import { declareBodyProperties } from './suite/body-properties.js';
import { declareConnections } from './suite/connections.js';
import { declareCreatePet } from './suite/create-pet.js';
import { declareGetPet } from './suite/get-pet.js';
import { declareHead } from './suite/head.js';
import { declareHeaders } from './suite/headers.js';
import { declareLimitParameter } from './suite/limit-parameter.js';
import { declareListPets } from './suite/list-pets.js';
import { declareMalformedRequests } from './suite/malformed-requests.js';
import { declareMediaTypes } from './suite/media-types.js';
import { declareNames } from './suite/names.js';
import { declareOpenApi } from './suite/openapi.js';
import { declareOrderOfChecks } from './suite/order-of-checks.js';
import { declareOtherParameters } from './suite/other-parameters.js';
import { declareOutside } from './suite/outside.js';
import { declarePathProperties } from './suite/path-properties.js';
import { declarePathsAndMethods } from './suite/paths-and-methods.js';
import { declareQueryProperties } from './suite/query-properties.js';
import { declareRequestId } from './suite/request-id.js';
import { declareStatusParameter } from './suite/status-parameter.js';
import { declareUnusualRequests } from './suite/unusual-requests.js';

const PARTS: readonly ((service: GetService) => void)[] = [
  declareAuthentication,
  declareOrderOfChecks,
  declarePathsAndMethods,
  declareListPets,
  declareLimitParameter,
  declareStatusParameter,
  declareAfterParameter,
  declareOtherParameters,
  declareQueryProperties,
  declareCreatePet,
  declareNames,
  declareBodyNumbers,
  declareBodyMembers,
  declareBodyNesting,
  declareBodyEncoding,
  declareMediaTypes,
  declareBodyLimit,
  declareBodyProperties,
  declareGetPet,
  declarePathProperties,
  declareHead,
  declareHeaders,
  declareRequestId,
  declareOutside,
  declareOpenApi,
  declareMalformedRequests,
  declareUnusualRequests,
  declareConnections,
];

/**
 * Declares the tests of the whole HTTP interface, over real sockets, against a service that `start` starts and that
 * nobody else uses meanwhile. Nothing is assumed of its store: neither that it is empty, nor how ids follow each other.
 */
export function declareHttpSuite(title: string, start: () => Promise<Service>): void {
  describe(title, () => {
    let running: Service | undefined;
    const service = (): Service => {
      if (!running) throw new Error('The service is not running.');
      return running;
    };
    before(async () => {
      running = await start();
    });
    after(async () => running?.stop());

    for (const declare of PARTS) declare(service);

    describe('after all of this', () => {
      it('the service is alive and ready', async () => {
        expect((await request(service(), 'GET', '/livez')).status).to.equal(200);
        expect((await request(service(), 'GET', '/readyz')).status).to.equal(200);
      });

      it('the log holds no fault of its own', () => {
        expect(service().log).not.to.match(/"stack"|"level":(50|60|"error"|"fatal")|^ +at /m);
      });

      it('the log does not hold the key', () => {
        expect(service().log).not.to.contain(service().key);
      });
    });
  });
}

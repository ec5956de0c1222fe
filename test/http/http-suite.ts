import { expect } from 'chai';
import { getBeside, type GetService, type Service } from './service.js';
import { declareAuthentication, declareAuthenticationFields } from './suite/authentication.js';
import { declareBodies } from './suite/bodies.js';
import { declareBodiesUnread, declareBodyLimit } from './suite/body-limit.js';
import { declareBodyProperties, declareKeptBodies } from './suite/body-properties.js';
import { declareConnections } from './suite/connections.js';
import { declareCreatePet } from './suite/create-pet.js';
import { declareGetPet } from './suite/get-pet.js';
import { declareHeaders } from './suite/headers.js';
import { declareIdempotencyKey, declareIdempotencyKeyFields, declareOnce } from './suite/idempotency-key.js';
import { declareLinks, declareMountedPaths } from './suite/links.js';
import { declareListParameters } from './suite/list-parameters.js';
import { declareListPets } from './suite/list-pets.js';
import { declareOrderOfChecks } from './suite/order-of-checks.js';
import { declareBeside, declareOutside } from './suite/outside.js';
import { declarePathProperties } from './suite/path-properties.js';
import { declareMethods, declarePaths } from './suite/paths-and-methods.js';
import { declareRawRequests } from './suite/raw-requests.js';
import { declareRequestId, declareRequestIdFields } from './suite/request-id.js';
import { declareSentFiles, declareStaticFiles } from './suite/static-files.js';
import { declareTransfer } from './suite/transfer.js';

/** Declares a part of the suite. `numRuns` is how many inputs each property-based test tries. */
type Declare = (service: GetService, numRuns: number) => void;

/** Many inputs for one service, and a sample for each other one, whose code for them is the same. */
export const [MANY, SAMPLE] = [200, 25];

/** The tests of what a transport translates: every transport must pass them. */
export const TRANSPORT: readonly Declare[] = [
  declareTransfer,
  declareAuthenticationFields,
  declareIdempotencyKeyFields,
  declareRequestIdFields,
  declareBodyLimit,
  declareMethods,
  declarePathProperties,
  declareLinks,
  declareHeaders,
  declareBeside,
  declareMountedPaths,
  declareSentFiles,
];

/** The tests of what a store keeps: every store must pass them. */
export const STORE: readonly Declare[] = [declareCreatePet, declareListPets, declareKeptBodies, declareOnce];

/** The tests of what requests mean. This depends neither on the transport nor on the store, so one of each is enough. */
export const MEANING: readonly Declare[] = [
  declareAuthentication,
  declareOrderOfChecks,
  declarePaths,
  declareGetPet,
  declareIdempotencyKey,
  declareRequestId,
  declareBeside,
  declareOutside,
  declareStaticFiles,
  declareListParameters,
  declareBodies,
  declareBodyProperties,
];

/** The tests that the server on Node must also pass: no other transport sees these bytes. */
export const SERVER: readonly Declare[] = [declareBodiesUnread, declareRawRequests, declareConnections];

/**
 * Declares parts of the tests of the HTTP interface, over real sockets, against a service that `start` starts. Only the tests use
 * the service. They assume nothing about its store: neither that it is empty, nor how its ids follow each other.
 *
 * @param numRuns How many inputs each property-based test tries.
 */
export function declareHttpSuite(
  title: string,
  start: () => Promise<Service>,
  parts: readonly Declare[],
  numRuns = SAMPLE,
): void {
  describe(title, () => {
    let running: Service | undefined;
    const service = (): Service => {
      if (!running) throw new Error('The service is not running.');
      return running;
    };
    before(async () => {
      running = await start();
    });

    for (const declare of parts) declare(service, numRuns);

    describe('after all of this', () => {
      it('the service is alive and ready', async () => {
        expect((await getBeside(service(), '/livez')).status).to.equal(200);
        expect((await getBeside(service(), '/readyz')).status).to.equal(200);
      });

      it('the log contains no internal error', () => {
        expect(service().log).not.to.match(/"stack"|"level":(50|60|"error"|"fatal")|^ +at /m);
      });

      it('the log does not contain the key', () => {
        expect(service().log).not.to.contain(service().key);
      });
    });
  });
}

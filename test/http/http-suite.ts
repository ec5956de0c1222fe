import { expect } from 'chai';
import { getBeside, type GetService, type Service } from './service.js';
import { declareAfterParameter } from './suite/after-parameter.js';
import { declareAuthentication } from './suite/authentication.js';
import { declareBodyEncoding } from './suite/body-encoding.js';
import { declareBodiesUnread, declareBodyLimit } from './suite/body-limit.js';
import { declareBodyMembers } from './suite/body-members.js';
import { declareBodyNesting } from './suite/body-nesting.js';
import { declareBodyNumbers } from './suite/body-numbers.js';
import { declareBodyProperties } from './suite/body-properties.js';
import { declareCaching } from './suite/caching.js';
import { declareConnections } from './suite/connections.js';
import { declareCreatePet } from './suite/create-pet.js';
import { declareGetPet } from './suite/get-pet.js';
import { declareHead } from './suite/head.js';
import { declareHeaders, declareHeadersOfRefusals } from './suite/headers.js';
import { declareIdempotencyKey } from './suite/idempotency-key.js';
import { declareLimitParameter } from './suite/limit-parameter.js';
import { declareListPets } from './suite/list-pets.js';
import { declareMalformedRequests } from './suite/malformed-requests.js';
import { declareManyHeaders } from './suite/many-headers.js';
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
import { declareStaticFiles } from './suite/static-files.js';
import { declareStatusParameter } from './suite/status-parameter.js';
import { declareTransfer } from './suite/transfer.js';
import { declareUnusualRequests } from './suite/unusual-requests.js';

/** Declares a part of the suite. `numRuns` is how many inputs each property-based test tries. */
type Declare = (service: GetService, numRuns: number) => void;

/** Many inputs for one service, and a sample for each other one, whose code for them is the same. */
export const [MANY, SAMPLE] = [200, 25];

/** The tests that every transport and every store must pass. */
const TRANSPORT: readonly Declare[] = [
  declareAuthentication,
  declareOrderOfChecks,
  declarePathsAndMethods,
  declareTransfer,
  declareListPets,
  declareCreatePet,
  declareIdempotencyKey,
  declareBodyLimit,
  declareGetPet,
  declarePathProperties,
  declareHead,
  declareHeaders,
  declareRequestId,
  declareCaching,
  declareOutside,
  declareOpenApi,
  declareStaticFiles,
];

/** The tests of what queries and bodies mean. The transport has nothing to do with that. */
const MEANING: readonly Declare[] = [
  declareLimitParameter,
  declareStatusParameter,
  declareAfterParameter,
  declareOtherParameters,
  declareQueryProperties,
  declareNames,
  declareBodyNumbers,
  declareBodyMembers,
  declareBodyNesting,
  declareBodyEncoding,
  declareMediaTypes,
  declareBodyProperties,
];

/** The tests that the server on Node must also pass: no other transport sees these bytes. */
const SERVER: readonly Declare[] = [
  declareHeadersOfRefusals,
  declareBodiesUnread,
  declareManyHeaders,
  declareMalformedRequests,
  declareUnusualRequests,
  declareConnections,
];

/**
 * Declares the tests of the HTTP interface that touch the transport, over real sockets, against a service that `start`
 * starts. Only the tests use the service. They assume nothing about its store: neither that it is empty, nor how its ids
 * follow each other.
 */
export function declareHttpSuite(title: string, start: () => Promise<Service>): void {
  declareParts(title, start, TRANSPORT, SAMPLE);
}

/**
 * Declares all tests of the HTTP interface: also those of what queries and bodies mean, for a store that hands animals on in a
 * form of its own.
 */
export function declareWholeHttpSuite(title: string, start: () => Promise<Service>): void {
  declareParts(title, start, [...TRANSPORT, ...MEANING], SAMPLE);
}

/**
 * Declares all tests of the HTTP interface, and those of the server on Node, which knows no store.
 *
 * @param numRuns How many inputs each property-based test tries.
 */
export function declareServerSuite(title: string, start: () => Promise<Service>, numRuns: number): void {
  declareParts(title, start, [...TRANSPORT, ...MEANING, ...SERVER], numRuns);
}

function declareParts(title: string, start: () => Promise<Service>, parts: readonly Declare[], numRuns: number): void {
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

    for (const declare of parts) declare(service, numRuns);

    describe('after all of this', () => {
      it('the service is alive and ready', async () => {
        expect((await getBeside(service(), '/livez')).status).to.equal(200);
        expect((await getBeside(service(), '/readyz')).status).to.equal(200);
      });

      it('the log holds no internal error', () => {
        expect(service().log).not.to.match(/"stack"|"level":(50|60|"error"|"fatal")|^ +at /m);
      });

      it('the log does not hold the key', () => {
        expect(service().log).not.to.contain(service().key);
      });
    });
  });
}

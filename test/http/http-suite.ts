import { expect } from 'chai';
import { verifyHttpContract } from '../contracts/http-contract.js';
import { getBeside, type GetService, type Service } from './service.js';
import { declareResponseForms } from './suite/response-forms.js';
import { declareBodies, declareTransfer } from './suite/bodies.js';
import { declareBodiesUnread, declareBodyLimit } from './suite/body-limit.js';
import { declareBodyProperties } from './suite/body-properties.js';
import { declareConnections } from './suite/connections.js';
import { declareHeaders } from './suite/headers.js';
import { declarePathProperties } from './suite/path-properties.js';
import { declareQueryProperties } from './suite/query-properties.js';
import { declareRawRequests } from './suite/raw-requests.js';
import { declareReference, declareStaticFiles } from './suite/reference.js';
import { declareEmptyFields, declareRepeatedFields } from './suite/repeated-fields.js';

/** Declares a part of the suite. `numRuns` is how many inputs each property-based test tries. */
type Declare = (service: GetService, numRuns: number) => void;

/** The tests of what a transport translates, beyond the published contract: every transport must pass them. */
export const TRANSPORT: readonly Declare[] = [
  declareTransfer,
  declareRepeatedFields,
  declareBodyLimit,
  declarePathProperties,
  declareHeaders,
  declareReference,
];

/**
 * The tests of what requests mean, beyond the published contract. This depends neither on the transport nor on the store, so one
 * of each is enough.
 */
export const MEANING: readonly Declare[] = [
  declareResponseForms,
  declareReference,
  declareStaticFiles,
  declareQueryProperties,
  declareBodies,
  declareBodyProperties,
  declareEmptyFields,
];

/** The tests that the server on Node must also pass: no other transport sees these bytes. */
export const SERVER: readonly Declare[] = [declareBodiesUnread, declareRawRequests, declareConnections];

/**
 * Declares the published contract and parts of the tests beyond it, over real sockets, against a service that `start` starts. Only
 * the tests use the service. They assume nothing about its store: neither that it is empty, nor how its ids follow each other.
 *
 * @param numRuns How many inputs each property-based test tries.
 */
export function declareHttpSuite(
  title: string,
  start: () => Promise<Service>,
  parts: readonly Declare[] = [],
  numRuns = 25,
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

    verifyHttpContract({
      baseUrl: () => `http://127.0.0.1:${service().port}${service().basePath}`,
      apiKey: () => service().key,
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

import { expect } from 'chai';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import { clientOf, type HttpClient } from '../contracts/http-client.js';
import { httpChecks, type HttpContractGroup } from '../contracts/http-contract.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { failingChecks, itCatches } from './breaking.js';
import { brokenContracts, brokenInterfaces, type Around } from './broken-http-servers.js';

/** A client of a new server on an empty store in memory, without a socket between them. */
function clientOfNew(around: Around = (handle) => handle): HttpClient {
  return clientOf({ baseUrl: 'http://127.0.0.1/v1', apiKey: KEY, fetch: around(createFetchHandler(inMemory())) });
}

describe('the contract suite of HTTP', () => {
  for (const [group, broken] of Object.entries({ interface: brokenInterfaces, contract: brokenContracts })) {
    describe(`its group ${group}`, () => {
      const checks = httpChecks[group as HttpContractGroup];

      it('passes a sound server', async () => {
        expect(await failingChecks(checks, clientOfNew)).to.deep.equal([]);
      });

      // Only the check that must fail, because all of them on each server would take long.
      itCatches('a server', [broken], checks, async (around, sentence) =>
        failingChecks(Object.fromEntries(Object.entries(checks).filter(([each]) => each === sentence)), () =>
          clientOfNew(around),
        ),
      );
    });
  }
});

import { expect } from 'chai';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import { clientOf, type HttpClient } from '../contracts/http-client.js';
import { httpChecks } from '../contracts/http-contract.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { failingChecks, itCatches } from './breaking.js';
import { brokenHttpServers, type Around } from './broken-http-servers.js';

/** A client of a new server on an empty store in memory, without a socket between them. */
function clientOfNew(around: Around = (handle) => handle): HttpClient {
  return clientOf({ baseUrl: 'http://127.0.0.1/v1', apiKey: KEY, fetch: around(createFetchHandler(inMemory())) });
}

describe('the contract suite of HTTP', () => {
  for (const [group, checks] of Object.entries(httpChecks)) {
    it(`passes a sound server: ${group}`, async () => {
      expect(await failingChecks(checks, clientOfNew)).to.deep.equal([]);
    });
  }

  itCatches('a server', [brokenHttpServers], httpChecks.interface, async (around) =>
    failingChecks(httpChecks.interface, () => clientOfNew(around)),
  );
});

import { expect } from 'chai';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import { clientOf, type HttpClient } from '../contracts/http-client.js';
import {
  httpChecks,
  verifyHttpContract,
  type HttpContractGroup,
  type HttpContractOptions,
} from '../contracts/http-contract.js';
import type { Checks, TestRunner } from '../contracts/test-runner.js';
import { createApp } from '../../src/adapters/http/koa/create-app.js';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { rejectionOf } from '../support/rejection-of.js';
import { failingChecks, itCatches } from './breaking.js';
import { brokenContracts, brokenInterfaces, differing, FAULTS_OF_ALL, type Around } from './broken-http-servers.js';

/** A client of a new server on an empty store in memory, without a socket between them. */
function clientOfNew(around: Around = (handle) => handle): HttpClient {
  return clientOf({ baseUrl: 'http://127.0.0.1/v1', apiKey: KEY, fetch: around(createFetchHandler(inMemory())) });
}

/** The messages of the checks that fail, by their sentences. */
async function failuresOf(checks: Checks<HttpClient>, around: Around): Promise<Readonly<Record<string, string>>> {
  const failures: Record<string, string> = {};
  for (const [sentence, check] of Object.entries(checks)) {
    await check(clientOfNew(around)).catch((error: unknown) => (failures[sentence] = String(error)));
  }
  return failures;
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

  it('passes a server that differs in what the documents leave open', async () => {
    for (const checks of Object.values(httpChecks)) {
      expect(await failuresOf(checks, differing)).to.deep.equal({});
    }
  });

  for (const [what, around, sentence, message] of FAULTS_OF_ALL) {
    it(`fails one test for ${what}, and names the request, the field and both values`, async () => {
      const failures = await failuresOf(httpChecks.contract, around);
      expect(Object.keys(failures)).to.deep.equal([sentence]);
      expect(failures[sentence]).to.match(message);
    });
  }
});

describe('the tests that the contract suite of HTTP declares', () => {
  /** The test of a sentence, of those that a runner is given. */
  function declare(options: Pick<HttpContractOptions, 'baseUrl' | 'apiKey'>): () => Promise<void> {
    const declared: (() => Promise<void>)[] = [];
    const runner: TestRunner = { describe: (_title, body) => body(), it: (_title, test) => declared.push(test) };
    verifyHttpContract({ only: 'interface', runner, ...options });
    return declared[0] as () => Promise<void>;
  }

  it('take a URL, and what functions return once the server has started', async () => {
    const port = await listenOnFreePort(createHttpServer(createApp(inMemory()).callback()));
    const baseUrl = new URL(`http://127.0.0.1:${port}/v1/`);
    await declare({ baseUrl, apiKey: KEY })();
    await declare({ baseUrl: () => baseUrl.href, apiKey: () => KEY })();
  });

  for (const [name, options] of Object.entries({
    baseUrl: { baseUrl: () => 'http://127.0.0.1:3000', apiKey: KEY },
    apiKey: { baseUrl: 'http://127.0.0.1:3000/v1', apiKey: () => '' },
  })) {
    it(`name ${name} if its function returns something else`, async () => {
      expect(await rejectionOf(declare(options)()))
        .to.be.instanceOf(TypeError)
        .and.have.property('message')
        .that.includes(name);
    });
  }
});

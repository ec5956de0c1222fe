import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { createListener } from '../../../../src/adapters/http/node/listener.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { endWithTest } from '../../../support/cleanup.js';
import { fetchInMemory, inMemory, KEY, requestTo, REX } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request } from '../../../support/request.js';
import { until } from '../../../support/until.js';
import { HeldCatalogue } from '../held-catalogue.js';

const broken = new Error('the host is broken');
const fail = (): never => {
  throw broken;
};

const reject: () => unknown = async () => Promise.reject(broken);

describe('a host whose functions fail', () => {
  let logged: { readonly err?: unknown }[];
  const log = { warn: fail, error: (fields: object) => logged.push(fields) };

  beforeEach(() => {
    logged = [];
  });

  const FAILING: Record<string, Partial<HttpInterfaceOptions>> = {
    'throws in onResponse': { onResponse: fail },
    'rejects in onResponse': { onResponse: reject },
    'throws in trustProxy': { onResponse: () => undefined, trustProxy: fail },
  };
  for (const [what, options] of Object.entries(FAILING)) {
    it(`gets the response to a creation if it ${what}, and one line in its log`, async () => {
      const listener = createListener(createHttpInterface(inMemory({ log, ...options })));
      const port = await listenOnFreePort(createServer(listener));
      expect((await request(port, 'POST', '/v1/pets', { key: KEY, body: REX })).status).to.equal(201);
      await until(() => logged.length > 0);
      expect(logged.map(({ err }) => err)).to.deep.equal([broken]);
    });
  }

  it('gets the response if it throws in remoteAddress', async () => {
    const options = { ...inMemory({ log, onResponse: () => undefined }), remoteAddress: fail };
    expect((await createFetchHandler(options)(requestTo('/v1/pets'))).status).to.equal(200);
    expect(logged.map(({ err }) => err)).to.deep.equal([broken]);
  });

  it('gets the response if its log throws, and the console has what could not be logged', async () => {
    const printed: unknown[][] = [];
    const { warn, error } = console;
    console.warn = console.error = (...args) => printed.push(args);
    endWithTest(() => Object.assign(console, { warn, error }));
    const { store } = inMemory();
    const ask = fetchInMemory({ store, log: { warn: fail, error: fail } });
    store.listPets = async () => Promise.reject(new AnimalStoreError('store_unavailable', 'silent'));
    expect((await ask('/v1/pets')).status).to.equal(503);
    store.listPets = fail;
    expect((await ask('/v1/pets')).status).to.equal(500);
    expect(printed.map(([message]) => message)).to.deep.equal(['the store did not answer in time', 'a request failed']);
  });
});

describe('a catalogue that listens to the signals of its reads', () => {
  it('makes Node warn of no leak if a client pipelines many requests on a server of Node', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown): void => void warnings.push(warning);
    process.on('warning', note);
    endWithTest(() => process.off('warning', note));
    const catalogue = new HeldCatalogue();
    const port = await listenOnFreePort(createServer(createListener(createHttpInterface(inMemory({ catalogue })))));
    const client = connect(port, '127.0.0.1');
    client.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`.repeat(20));
    await until(() => catalogue.calls === 20);
    catalogue.release();
    await once(client, 'data');
    client.destroy();
    expect(warnings).to.deep.equal([]);
  });
});

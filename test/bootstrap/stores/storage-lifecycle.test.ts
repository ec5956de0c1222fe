import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetPage } from '../../../src/domain/pet-catalogue.js';
import {
  ConfigError,
  createContainer,
  inMemoryModule,
  TOKENS,
  type StartConfig,
} from '../../../src/bootstrap/index.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { eventually } from '../../support/eventually.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { send } from '../../support/request.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { closableStore, KEY, start, storeOf } from '../in-process.js';

const POOL = Symbol('pool');

/** What happened to a storage, in order. */
type Events = string[];

/** Lets other work go first, as a database does. */
const others = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A storage that is connected and prepared in activations, and closed in a deactivation. Each notes when it has ended. */
function storage(events: Events, isFaulty = false): ContainerModule {
  const note = async (event: string): Promise<void> => {
    for (let i = 0; i < 5; i++) await others();
    events.push(event);
  };
  return new ContainerModule(({ bind, onActivation }) => {
    bind(POOL)
      .toResolvedValue(() => ({}))
      .inSingletonScope()
      .onDeactivation(async () => note('closed'));
    onActivation(POOL, async (_context, pool) => {
      await note('connected');
      return pool;
    });
    bind(TOKENS.petCatalogue)
      .toResolvedValue((_pool: unknown) => new InMemoryPetCatalogue(), [POOL])
      .inSingletonScope()
      .onActivation(async (_context, catalogue) => {
        await note('prepared');
        if (isFaulty) throw new Error('it has no tables');
        return catalogue;
      });
  });
}

/** Why a server does not start. */
async function failureOf(...args: Parameters<typeof start>): Promise<Error> {
  return (await rejectionOf(start(...args))) as Error;
}

describe('startServer', () => {
  it('connects the store before listening, and closes it after the drain', async () => {
    const events: Events = [];
    const server = await start({ store: storage(events) });
    events.push('listening');
    await server.close();
    expect(events).to.deep.equal(['connected', 'prepared', 'listening', 'closed']);
  });

  it('closes the store if preparation fails', async () => {
    const events: Events = [];
    expect((await failureOf({ store: storage(events, true) })).message).to.equal('it has no tables');
    await eventually(() => (events.length === 3 ? true : undefined));
    expect(events).to.deep.equal(['connected', 'prepared', 'closed']);
  });

  describe('if the server cannot listen', () => {
    let port: number;

    beforeEach(async () => (port = await listenOnFreePort(createServer())));

    it('closes the store before rejecting', async () => {
      const events: Events = [];
      expect(await failureOf({ store: storage(events), port })).to.have.nested.property('cause.code', 'EADDRINUSE');
      expect(events.at(-1)).to.equal('closed');
    });

    it('rejects with the error of the start also if the store cannot be closed, and logs nothing above debug', async () => {
      const lines: string[] = [];
      const store = closableStore(() => {
        throw new Error('the pool is stuck');
      });
      const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
      expect(await failureOf({ store, port }, log)).to.have.nested.property('cause.code', 'EADDRINUSE');
      expect(lines).to.deep.equal([]);
    });
  });

  it('is content with one active key among others, and points to the command that makes one', async () => {
    const apiKeys = new InMemoryApiKeys();
    const manager = apiKeyManagerOf(apiKeys);
    const store = storeOf({ apiKeys, apiKeyRegistry: apiKeys });
    for (let i = 0; i < 150; i++) await manager.revoke((await manager.issue({ name: `number ${i}` })).id);
    const error = await failureOf({ store, apiKeys: [] });
    expect(error).to.be.instanceOf(ConfigError);
    expect(error.message).to.match(/^API_KEYS must .*animal-store keys create/);
    await manager.issue({ name: 'the last' });
    await start({ store, apiKeys: [] });
  });

  it('rejects with a ConfigError for a module that binds no catalogue', async () => {
    const error = await failureOf({ store: new ContainerModule(() => undefined) });
    expect(error).to.be.instanceOf(ConfigError);
    expect(error.message).to.equal('--store: it does not bind TOKENS.petCatalogue');
  });

  it('resolves nothing during a request, even from a binding that makes a new catalogue each time', async () => {
    let made = 0;
    const store = new ContainerModule(({ bind }) => {
      bind(TOKENS.petCatalogue)
        .toResolvedValue(() => {
          made += 1;
          return new InMemoryPetCatalogue();
        })
        .inTransientScope();
    });
    const server = await start({ store });
    const atStart = made;
    for (let i = 0; i < 3; i++) await send(`${server.origin}/v1/pets`, { key: KEY });
    expect({ atStart, after: made }).to.deep.equal({ atStart: 1, after: 1 });
  });

  it('uses what a module binds instead of its own part', async () => {
    const module = new ContainerModule(({ bind }) => {
      bind(TOKENS.requestHandler).toConstantValue((_request, response) => response.end('mine'));
    });
    const server = await start({ modules: [module] });
    expect((await send(`${server.origin}/v1/pets`)).text).to.equal('mine');
  });
});

describe('startServer and a module that rebinds the keys', () => {
  const modules = [
    new ContainerModule(({ rebind }) => {
      rebind(TOKENS.apiKeys).toConstantValue(new InMemoryApiKeys([{ name: 'ben', key: KEY }]));
    }),
  ];

  it('makes no key, and accepts those of the module', async () => {
    const server = await start({ apiKeys: [], modules });
    expect(server.apiKey).to.equal(undefined);
    expect((await send(`${server.origin}/v1/pets`, { key: KEY })).status).to.equal(200);
  });

  it('does not look for an active key in the registry of the store', async () => {
    const store = storeOf({ apiKeys: new InMemoryApiKeys(), apiKeyRegistry: new InMemoryApiKeys() });
    const server = await start({ store, apiKeys: [], modules });
    expect((await send(`${server.origin}/v1/pets`, { key: KEY })).status).to.equal(200);
  });
});

describe('startServer and a value out of its range', () => {
  const cases: Record<string, StartConfig> = {
    port: { port: 99_999 },
    baseUrl: { baseUrl: 'shop' },
    logLevel: { logLevel: 'loud' as 'info' },
    'rateLimit.requests': { rateLimit: { requests: -5, perMs: 1000 } },
    'rateLimit.perMs': { rateLimit: { requests: 5, perMs: 30 * 86_400_000 } },
    maxInFlight: { maxInFlight: 0.5 },
  };
  for (const [name, config] of Object.entries(cases)) {
    it(`rejects with a TypeError that names ${name}`, async () => {
      const error = await failureOf(config);
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message.startsWith(`${name} `)).to.equal(true);
    });
  }
});

describe('startServer and a store that does not answer', () => {
  it('lets no more requests wait for it than maxInFlight', async () => {
    const asked = new EventEmitter();
    let answer: (page: PetPage) => void = () => undefined;
    const list = async (): Promise<PetPage> => {
      asked.emit('list');
      return new Promise((resolve) => (answer = resolve));
    };
    const store = storeOf({ petCatalogue: Object.assign(new InMemoryPetCatalogue(), { list }) });
    const url = `${(await start({ store, maxInFlight: 1 })).origin}/v1/pets`;
    const isAsked = once(asked, 'list');
    const waiting = send(url, { key: KEY });
    await isAsked;
    expect((await send(url, { key: KEY })).json).to.include({ code: 'overloaded', status: 503 });
    answer({ pets: [] });
    expect((await waiting).status).to.equal(200);
  });
});

describe('startServer on a MongoDB server that does not answer', () => {
  it('ends a request by mongodbDeadline, and logs it', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    const proxy = await startTcpProxy((await startDatalessMongodb()).port);
    const mongodbUrl = `mongodb://127.0.0.1:${proxy.port}/zoo`;
    const { origin } = await start({ store: 'mongodb', mongodbUrl, mongodbDeadline: 300 }, log);
    proxy.swallow();
    expect((await send(`${origin}/v1/pets`, { key: KEY })).json).to.include({ code: 'store_unavailable', status: 503 });
    expect(lines.join('')).to.include('no answer within 300 ms');
    proxy.pass();
    proxy.hangUp();
  });
});

describe('inMemoryModule', () => {
  it('binds keys and their registry if it is given keys', async () => {
    const container = await createContainer(inMemoryModule([{ name: 'anna', key: KEY }]));
    const { key } = await container.get(TOKENS.apiKeyManager).issue({ name: 'ben' });
    const apiKeys = container.get(TOKENS.apiKeys);
    expect(await apiKeys.verify(KEY)).to.deep.equal({ name: 'anna' });
    expect(await apiKeys.verify(key)).to.deep.equal({ name: 'ben' });
  });

  it('binds no keys if it is given none', async () => {
    expect((await createContainer(inMemoryModule())).isBound(TOKENS.apiKeys)).to.equal(false);
  });
});

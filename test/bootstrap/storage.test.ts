import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import { pino } from 'pino';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { SERVER_DEFAULTS } from '../../src/bootstrap/server-config.js';
import { loadStorage, type LoadedStorage } from '../../src/bootstrap/storage.js';
import { ConfigError } from '../../src/bootstrap/settings/config-error.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';
import { rejectionOf } from '../support/rejection-of.js';
import { closableStore, storeOf } from './in-process.js';
import { skip } from '../support/skip.js';
import { HAS_SQLITE } from '../support/sqlite.js';

describe('loadStorage', () => {
  let lines: string[];

  beforeEach(() => (lines = []));

  const load = async (store: string | ContainerModule): Promise<LoadedStorage> => {
    const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
    return loadStorage({ ...SERVER_DEFAULTS, store }, { env: {}, log });
  };

  it('gives the name of the store, and says whether it loses its animals', async () => {
    expect(await load('memory')).to.include({ name: 'memory', ephemeral: true });
    expect(await load(storeOf())).to.include({ name: 'module', ephemeral: false });
  });

  it('lists all errors, if a store cannot be used either', async function () {
    if (HAS_SQLITE) skip(this, 'this version of Node.js has node:sqlite');
    const config = { ...SERVER_DEFAULTS, store: 'sqlite', mongodbUrl: 'no-url' };
    const error = await rejectionOf(loadStorage(config, { env: {}, log: pino({ level: 'silent' }) }));
    const errors = error instanceof ConfigError ? error.errors : [];
    expect(errors[0]).to.match(/^MONGODB_URL /);
    expect(errors[1]).to.include('the store sqlite cannot be used: animal-store/sqlite needs Node.js 22.13 or newer');
    expect(errors).to.have.lengthOf(2);
  });

  it('logs nothing if all that it abandons can be closed', async () => {
    let isClosed = false;
    const storage = await load(
      new ContainerModule(({ bind, unbind }) => {
        bind(TOKENS.petCatalogue)
          .toResolvedValue(() => new InMemoryPetCatalogue())
          .inSingletonScope()
          .onDeactivation(() => void (isClosed = true));
        bind(TOKENS.isReady).toConstantValue(() => true);
        unbind(TOKENS.isReady);
      }),
    );
    await storage.container.getAsync(TOKENS.petCatalogue);
    await storage.abandon(new Error('elsewhere'));
    expect([isClosed, lines]).to.deep.equal([true, []]);
  });

  it('does not log the error for which it abandons the store', async () => {
    const fault = new Error('it has no tables');
    const store = closableStore(() => {
      throw fault;
    });
    const storage = await load(store);
    await storage.container.getAsync(TOKENS.petCatalogue);
    await storage.abandon(fault);
    expect(lines).to.have.length(0);
  });
});

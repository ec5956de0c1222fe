import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createContainer } from '../../../src/bootstrap/container.js';
import { httpModule, type HttpModuleOptions } from '../../../src/bootstrap/modules/http-module.js';
import { inMemoryModule } from '../../../src/bootstrap/modules/in-memory-module.js';
import { TOKENS, type ReadinessCheck } from '../../../src/bootstrap/tokens.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { readinessOn } from './readiness.js';

const KEY = 'a-key-of-more-than-16';
const OTHER_KEY = 'another-key-of-more-than-16';
const ANNA = [{ name: 'anna', key: KEY }];

describe('httpModule', () => {
  /** What it binds beside a store in memory and these modules. */
  const boundWith = async (
    options: HttpModuleOptions | undefined,
    ...modules: readonly ContainerModule[]
  ): Promise<HttpInterfaceOptions> =>
    (await createContainer(inMemoryModule(), httpModule(options), ...modules)).getAsync(TOKENS.httpOptions);

  const keysModule = new ContainerModule(({ bind }) => {
    bind(TOKENS.apiKeys).toConstantValue(new InMemoryApiKeys([{ name: 'ben', key: OTHER_KEY }]));
  });

  it('throws if there are no keys', async () => {
    const error = await rejectionOf(boundWith(undefined));
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.equal('TOKENS.apiKeys must be bound, or moreKeys be given');
  });

  it('accepts the keys given, those bound, or both', async () => {
    const verified = async ({ apiKeys }: HttpInterfaceOptions): Promise<unknown[]> =>
      Promise.all([KEY, OTHER_KEY, `${KEY}-not`].map(async (key) => (await apiKeys.verify(key))?.name));
    expect(await verified(await boundWith({ moreKeys: ANNA }))).to.deep.equal(['anna', undefined, undefined]);
    expect(await verified(await boundWith(undefined, keysModule))).to.deep.equal([undefined, 'ben', undefined]);
    expect(await verified(await boundWith({ moreKeys: ANNA }, keysModule))).to.deep.equal(['anna', 'ben', undefined]);
  });

  it('measures the keys that are bound, and no others', async () => {
    const measured: string[] = [];
    const meterModule = new ContainerModule(({ bind }) => {
      bind(TOKENS.storeMeter).toConstantValue({
        measureCatalogue: (catalogue) => catalogue,
        measureApiKeys: (apiKeys) => ({
          async verify(key) {
            measured.push(key);
            return apiKeys.verify(key);
          },
        }),
      });
    });
    const { apiKeys } = await boundWith({ moreKeys: ANNA }, keysModule, meterModule);
    for (const key of [KEY, OTHER_KEY]) await apiKeys.verify(key);
    expect(measured).to.deep.equal([OTHER_KEY]);
  });

  it('is ready if neither the server nor the storage says otherwise', async () => {
    for (const [server, storage, expected] of [
      [undefined, undefined, true],
      [true, true, true],
      [false, undefined, false],
      [false, true, false],
      [true, false, false],
      [undefined, false, false],
    ]) {
      const modules = storage === undefined ? [] : [readinessModule(() => storage)];
      const isReady = server === undefined ? {} : { isReady: () => server };
      const options = await boundWith({ moreKeys: ANNA, ...isReady }, ...modules);
      expect(await options.isReady?.(), `${server} ${storage}`).to.equal(expected);
    }
  });

  const gone = new Error('the database is gone');
  const throwing = (): never => {
    throw gone;
  };
  for (const [what, module, reason] of [
    ['its check rejects', storeOf({}, async () => Promise.reject(gone)), gone.message],
    ['its check throws', storeOf({}, throwing), gone.message],
    ['it fails to list an animal', storeOf({ list: async () => Promise.reject(gone) }), gone.message],
    [
      'it never lists an animal',
      storeOf({ list: async () => new Promise(() => undefined) }),
      'no answer within 2000 ms',
    ],
  ] as const) {
    it(`is not ready, and says why in the log, if ${what}`, async () => {
      const { isReady, reasons } = await readinessOn(module);
      expect(await isReady()).to.equal(false);
      expect(reasons).to.deep.equal([reason]);
    });
  }

  it('asks the storage at most once a second', async () => {
    let asked = 0;
    const { isReady } = await readinessOn(storeOf({}, () => ++asked > 0));
    expect(await Promise.all([isReady(), isReady(), isReady()])).to.deep.equal([true, true, true]);
    expect(await isReady()).to.equal(true);
    expect(asked).to.equal(1);
  });
});

/** The store in memory with these methods and this check of its own. */
function storeOf(methods: Partial<PetCatalogue>, isReady?: ReadinessCheck): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(Object.assign(new InMemoryPetCatalogue(), methods));
    if (isReady !== undefined) bind(TOKENS.isReady).toConstantValue(isReady);
  });
}

function readinessModule(isReady: ReadinessCheck): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.isReady).toConstantValue(isReady);
  });
}

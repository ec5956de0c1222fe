import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { createContainer } from '../../../src/bootstrap/container.js';
import { httpModule, type HttpModuleOptions } from '../../../src/bootstrap/modules/http-module.js';
import { inMemoryModule } from '../../../src/bootstrap/modules/in-memory-module.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import { rejectionOf } from '../../support/rejection-of.js';

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
      const modules = storage === undefined ? [] : [readinessModule(storage)];
      const isReady = server === undefined ? {} : { isReady: () => server };
      const options = await boundWith({ moreKeys: ANNA, ...isReady }, ...modules);
      expect(await options.isReady?.(), `${server} ${storage}`).to.equal(expected);
    }
  });
});

function readinessModule(isReady: boolean): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.isReady).toConstantValue(() => isReady);
  });
}

import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { createContainer, mongodbModule, TOKENS } from '../../../src/bootstrap/index.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

describe('the log of mongodbModule', () => {
  let lines: object[];
  const log = {
    info: () => undefined,
    warn: (fields: object, message: string) => void lines.push({ ...fields, message }),
    error: (fields: object, message: string) => void lines.push({ ...fields, message }),
  };

  beforeEach(() => {
    lines = [];
  });

  for (const [whose, optionsOf] of [
    ['its own client', (url: string) => ({ url })],
    ['the client of another', (url: string) => ({ client: createMongoClient(url) })],
  ] as const) {
    it(`has nothing that is still under way when the container is unbound, with ${whose}`, async () => {
      const proxy = await startTcpProxy((await startDatalessMongodb()).port);
      const observed = new EventEmitter();
      const options = optionsOf(`mongodb://127.0.0.1:${proxy.port}/zoo`);
      if ('client' in options) await options.client.connect();
      const container = await createContainer(
        mongodbModule({ ...options, log, observe: ({ outcome }) => observed.emit(outcome) }),
      );
      const catalogue = await container.getAsync(TOKENS.petCatalogue);
      const reserving = proxy.swallowConnectionOf('findAndModify');
      const added = rejectionOf(catalogue.add({ name: 'Rex', categoryId: 7n }));
      await reserving;
      const failed = once(observed, 'unavailable');
      await container.unbindAllAsync();
      if ('client' in options) await options.client.close();
      await failed;
      expect(await added).to.have.property('code', 'store_unavailable');
      expect(lines).to.deep.equal([]);
    });
  }

  it('has what fails in the background, and nothing that a request fails with', async () => {
    const observed: (readonly [name: string, outcome: string])[] = [];
    const server = await startDatalessMongodb();
    const container = await createContainer(
      mongodbModule({
        url: `mongodb://127.0.0.1:${server.port}/zoo`,
        log,
        observe: ({ name, outcome }) => void observed.push([name, outcome]),
      }),
    );
    endWithTest(async () => container.unbindAllAsync());
    const catalogue = await container.getAsync(TOKENS.petCatalogue);
    const apiKeys = await container.getAsync(TOKENS.apiKeys);
    const key = generateApiKey();
    await catalogue.list({ limit: 1 });
    await apiKeys.verify(key);
    expect(lines).to.deep.equal([]);

    server.refuse(undefined, ['find', 'aggregate', 'findAndModify']);
    const refusals = [
      await rejectionOf(catalogue.list({ limit: 1 })),
      await rejectionOf(apiKeys.verify(generateApiKey())),
      await rejectionOf(catalogue.add({ name: 'Rex', categoryId: 7n })),
    ];
    expect(lines).to.deep.equal([
      { err: refusals[1], operation: 'keys.look_up', message: 'an operation on MongoDB failed' },
      { err: refusals[2], operation: 'ids.reserve', message: 'an operation on MongoDB failed' },
    ]);
    expect(observed.filter(([, outcome]) => outcome !== 'ok').map(([name]) => name)).to.include.members([
      'keys.look_up',
      'ids.reserve',
    ]);
  });

  for (const [what, fail, messages] of [
    ['why a ping is refused', (server) => server.refuse(undefined, ['ping']), ['the MongoDB server refuses a ping']],
    [
      'nothing of a server that is not the primary, so that the store does not answer',
      (server) => server.stepDown(),
      [],
    ],
  ] as const satisfies readonly (readonly [string, (server: DatalessMongodb) => void, readonly string[]])[]) {
    it(`has ${what}`, async () => {
      const server = await startDatalessMongodb();
      const url = `mongodb://127.0.0.1:${server.port}/zoo?directConnection=true`;
      const container = await createContainer(mongodbModule({ url, log }));
      endWithTest(async () => container.unbindAllAsync());
      const isReady = await container.getAsync(TOKENS.isReady);
      fail(server);
      expect(await isReady()).to.equal(false);
      expect(lines.map((line) => (line as { readonly message: string }).message)).to.deep.equal(messages);
    });
  }
});

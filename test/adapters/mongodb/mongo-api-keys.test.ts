import { expect } from 'chai';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { PATIENT } from '../../support/patience.js';
import { patientApiKeys } from '../../support/patient-api-keys.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { clientOf } from './client-of.js';

/** How many of 40 unknown keys are looked up concurrently on a database that does not answer, with a pool of this size. */
async function lookUpsWith(maxPoolSize: number, minPoolSize: number): Promise<number> {
  const proxy = await startTcpProxy((await startDatalessMongodb()).port);
  const client = clientOf(proxy, { ...PATIENT, maxPoolSize, minPoolSize, monitorCommands: true });
  let [connections, lookUps] = [0, 0];
  client.on('connectionReady', () => connections++);
  client.on('commandStarted', ({ commandName }) => void (commandName === 'find' && lookUps++));
  await client.connect();
  await until(() => connections >= minPoolSize);
  proxy.swallow();
  const keys = new MongoApiKeys(client.db(), PATIENT);
  await Promise.allSettled(Array.from({ length: 40 }, async () => keys.verify(generateApiKey())));
  proxy.pass();
  proxy.hangUp();
  return lookUps;
}

describe('the look-ups of unknown keys by MongoApiKeys', () => {
  for (const [maxPoolSize, minPoolSize, lookUps] of [
    [5, 5, 3],
    [100, 24, 16],
  ] as const) {
    it(`hold ${lookUps} connections, so that some are left to the rest, if maxPoolSize is ${maxPoolSize}`, async () => {
      expect(await lookUpsWith(maxPoolSize, minPoolSize)).to.equal(lookUps);
    });
  }

  it('are made with a pool without a maximum', async () => {
    const client = clientOf(await startDatalessMongodb(), { ...PATIENT, maxPoolSize: 0 });
    expect(await patientApiKeys(new MongoApiKeys(client.db(), PATIENT)).verify(generateApiKey())).to.equal(undefined);
  });
});

import { expect } from 'chai';
import type { Db } from 'mongodb';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { connectMongoClient } from '../../../src/adapters/mongodb/connect-mongo-client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { plannedChanges } from '../../../src/adapters/mongodb/schema/migration.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { endWithTest } from '../../support/cleanup.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { throughProxy, useMongodb } from '../../support/use-mongodb.js';
import { needs } from '../../deploy/needs.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';
import { setCounter } from './pets/set-counter.js';

const REX = { name: 'Rex', categoryId: 2n ** 62n, status: 'available' } as const;

/** Uses everything that the adapters of animals do with a database. */
async function usePets(db: Db): Promise<void> {
  for (const { apply } of await plannedChanges(db)) await apply();
  const catalogue = new MongoPetCatalogue(db, PATIENT);
  await catalogue.init();
  const first = await catalogue.add(REX);
  const { pet } = await catalogue.addOnce(REX, 'a key');
  expect(await catalogue.addOnce(REX, 'a key')).to.deep.equal({ pet, replayed: true });
  await rejectionOf(catalogue.addOnce({ ...REX, name: 'Tom' }, 'a key'));
  expect(await catalogue.find(first.id)).to.deep.equal(first);
  await catalogue.addManyOnce([{ newPet: REX, idempotencyKey: 'a key' }]);
  const restored = { id: 1000n, ...REX };
  await catalogue.restore([restored]);
  await catalogue.restoreCreations([{ sha256: 'a'.repeat(64), petId: restored.id, at: new Date() }]);
  expect((await catalogue.listCreations().next()).value).to.include({ petId: pet.id });
  expect((await catalogue.list({ limit: 5, status: 'available' })).pets).to.deep.equal([first, pet, restored]);
  // As after a back-up was restored: the counter has to be repaired.
  await setCounter(db, 'seven');
  expect(Number((await new MongoPetCatalogue(db, PATIENT).add(REX)).id)).to.be.greaterThan(1000);
}

/** Uses everything that the adapters of API keys do with a database. */
async function useKeys(db: Db): Promise<void> {
  const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db, PATIENT));
  const { id, key } = await manager.issue({ name: 'anna' });
  expect(await new MongoApiKeys(db, PATIENT).verify(key)).to.deep.include({ name: 'anna' });
  await manager.rotate(id, { overlapMs: 0 });
  await manager.revoke(id);
  for await (const record of manager.list()) expect(record).to.include({ name: 'anna' });
}

describe('MongoDB over TLS', () => {
  const mongodb = useMongodb();
  let folder: string;
  let port: number;

  before(function () {
    needs(this, 'openssl', ['version']);
    port = mongodb.localPort(this);
    folder = makeTemporaryFolder();
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-days', '1', '-subj', '/CN=mongodb', '-addext', 'subjectAltName=IP:127.0.0.1'];
    for (const name of ['server', 'other']) {
      const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
      execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...files], { stdio: 'ignore' });
    }
  });

  /** The URL of a new database behind a proxy that ends TLS. */
  async function urlOverTls(certificate: string): Promise<string> {
    const [key, cert] = [readFileSync(join(folder, 'server.key')), readFileSync(join(folder, 'server.pem'))];
    const proxy = createServer({ key, cert }, (socket) => {
      const upstream = connect(port, '127.0.0.1');
      pipeline(socket, upstream, () => upstream.destroy());
      pipeline(upstream, socket, () => socket.destroy());
    });
    const { databaseName } = mongodb.createDatabase();
    const url = throughProxy(mongodb.server().url, { port: await listenOnFreePort(proxy) }, databaseName);
    return `${url}&tls=true&tlsCAFile=${join(folder, certificate)}`;
  }

  it('works if the URL names the authority that has signed the certificate', async () => {
    const client = await connectMongoClient(await urlOverTls('server.pem'));
    endWithTest(async () => client.close());
    await usePets(client.db());
    await useKeys(client.db());
  });

  it('fails at the start if another authority has signed it', async () => {
    const error = await rejectionOf(connectMongoClient(await urlOverTls('other.pem'), { timeoutMs: 3_600_000 }));
    expect((error as Error).message).to.match(/^the MongoDB server cannot be reached: .*self-signed certificate/);
  });
});

/** The commands that the role of docs/operating.md for the keys allows. All are in version 1 of MongoDB's Stable API. */
const OF_KEYS = ['find', 'insert', 'update', 'createIndexes', 'listIndexes'];
/** Those that the role `readWrite` allows to the service besides, in the same version. The server of the tests may not know the last one. */
const OF_SERVICE = [...OF_KEYS, 'findAndModify', 'hello'];

describe('the commands of the MongoDB adapter', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  it('are in the Stable API and in the role readWrite, and remove nothing', async () => {
    const sent = await commandsOf(client(), async () => usePets(db()));
    expect(OF_SERVICE).to.include.members(sent.map(({ name }) => name));
    for (const { command } of sent) expect(command['remove'] ?? false).to.equal(false);
  });

  it('are in the role for keys, which has one collection, if they are about keys', async () => {
    const sent = await commandsOf(client(), async () => useKeys(db()));
    expect(OF_KEYS).to.include.members(sent.map(({ name }) => name));
    for (const { name, command } of sent) expect(command[name], name).to.equal('apiKeys');
  });
});

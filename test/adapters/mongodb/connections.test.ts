import { expect } from 'chai';
import type { Db, MongoClient, MongoClientOptions } from 'mongodb';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { connectMongoClient } from '../../../src/adapters/mongodb/connect-mongo-client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { plannedChanges } from '../../../src/adapters/mongodb/schema/migration.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { endWithTest } from '../../support/cleanup.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { throughProxy, usePrivateServer } from '../../support/use-mongodb.js';
import { startWireProxy, type DatabaseUser, type WireProxy } from '../../support/wire-proxy.js';
import { needs } from '../../deploy/needs.js';
import { setCounter } from './pets/set-counter.js';

const REX = { name: 'Rex', categoryId: 2n ** 62n, status: 'available' } as const;

describe('MongoDB over connections of other kinds', () => {
  const mongodb = usePrivateServer();

  /** Uses everything that the adapters do with a database. */
  async function useEverything(db: Db): Promise<void> {
    for (const { apply } of await plannedChanges(db)) await apply();
    const catalogue = new MongoPetCatalogue(db);
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
    expect(Number((await new MongoPetCatalogue(db).add(REX)).id)).to.be.greaterThan(1000);
    const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db));
    const { id, key } = await manager.issue({ name: 'anna' });
    expect(await new MongoApiKeys(db).verify(key)).to.deep.include({ name: 'anna' });
    await manager.rotate(id, { overlapMs: 0 });
    await manager.revoke(id);
    for await (const record of manager.list()) expect(record).to.include({ name: 'anna' });
  }

  /** The URL of a new database behind a proxy. */
  const urlThrough = (proxy: { readonly port: number }): string =>
    throughProxy(mongodb.server().url, proxy, `zoo-${randomBytes(6).toString('hex')}`);

  describe('TLS', () => {
    let folder: string;

    before(function () {
      needs(this, 'openssl', ['version']);
      folder = makeTemporaryFolder();
      const args = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ];
      const subject = ['-subj', '/CN=mongodb', '-addext', 'subjectAltName=IP:127.0.0.1'];
      for (const name of ['server', 'other']) {
        const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
        execFileSync('openssl', [...args, ...subject, ...files], { stdio: 'ignore' });
      }
    });

    /** The URL of a new database behind a proxy that ends TLS. */
    async function urlOverTls(certificate: string): Promise<string> {
      const [key, cert] = [readFileSync(join(folder, 'server.key')), readFileSync(join(folder, 'server.pem'))];
      const proxy = createServer({ key, cert }, (socket) => {
        const upstream = connect(mongodb.server().port, '127.0.0.1');
        socket.on('error', () => upstream.destroy()).pipe(upstream);
        upstream.on('error', () => socket.destroy()).pipe(socket);
      });
      return `${urlThrough({ port: await listenOnFreePort(proxy) })}&tls=true&tlsCAFile=${join(folder, certificate)}`;
    }

    it('works if the URL names the authority that has signed the certificate', async () => {
      const client = await connectMongoClient(await urlOverTls('server.pem'));
      endWithTest(async () => client.close());
      await useEverything(client.db());
    });

    it('fails at the start if another authority has signed it', async () => {
      const error = await rejectionOf(connectMongoClient(await urlOverTls('other.pem'), { timeoutMs: 3_600_000 }));
      expect((error as Error).message).to.match(/^the MongoDB server cannot be reached: .*self-signed certificate/);
    });
  });

  describe('users and roles', () => {
    const READ_WRITE = [
      'find',
      'insert',
      'update',
      'createIndex',
      'listIndexes',
      'listCollections',
      'createCollection',
    ];
    const SERVICE: DatabaseUser = { name: 'service', password: 'p@ss,word=', actionsIn: () => READ_WRITE };
    const KEYS: DatabaseUser = {
      name: 'keys',
      password: 'secret',
      actionsIn: (collection) =>
        collection === 'apiKeys' ? ['find', 'insert', 'update', 'createIndex', 'listIndexes'] : [],
    };
    let proxy: WireProxy;

    beforeEach(async () => {
      proxy = await startWireProxy(mongodb.server().port, [SERVICE, KEYS]);
    });

    async function databaseOf({ name, password }: DatabaseUser): Promise<Db> {
      const url = new URL(urlThrough(proxy));
      Object.assign(url, { username: name, password: encodeURIComponent(password) });
      url.searchParams.set('authMechanism', 'SCRAM-SHA-256');
      const client = await connectMongoClient(url.href, { timeoutMs: 3_600_000 });
      endWithTest(async () => client.close());
      return client.db();
    }

    it('let the service do everything with the actions of readWrite, without remove', async () => {
      await useEverything(await databaseOf(SERVICE));
    });

    it('let the role for keys manage keys, and nothing else', async () => {
      const db = await databaseOf(KEYS);
      const registry = new MongoApiKeyRegistry(db);
      await registry.init();
      const manager = apiKeyManagerOf(registry);
      const { id } = await manager.issue({ name: 'anna' });
      await manager.revoke(id);
      for await (const record of manager.list()) expect(record).to.have.property('revokedAt');
      expect(await rejectionOf(new MongoPetCatalogue(db).list({ limit: 1 }))).to.include({ code: 13 });
    });

    it('end the start with the reason if the password is wrong', async () => {
      const error = await rejectionOf(databaseOf({ ...SERVICE, password: 'wrong' }));
      expect((error as Error).message).to.include('Authentication failed.');
    });
  });

  describe('a server that speaks more of the protocol', () => {
    let proxy: WireProxy;

    beforeEach(async () => {
      proxy = await startWireProxy(mongodb.server().port);
    });

    function clientOf(options: MongoClientOptions): MongoClient {
      const client = createMongoClient(urlThrough(proxy), options);
      endWithTest(async () => client.close());
      return client;
    }

    it('accepts messages compressed by zlib if the URL asks for it', async () => {
      const client = await connectMongoClient(`${urlThrough(proxy)}&compressors=zlib`);
      endWithTest(async () => client.close());
      await useEverything(client.db());
      expect(proxy.compressed()).to.be.greaterThan(10);
    });

    it('receives no compressed message unless the URL asks for it', async () => {
      await useEverything(clientOf({}).db());
      expect(proxy.compressed()).to.equal(0);
    });

    it('accepts everything in version 1 of the Stable API, with apiStrict', async () => {
      await useEverything(clientOf({ serverApi: { version: '1', strict: true, deprecationErrors: true } }).db());
      expect(
        proxy.commands.filter(({ apiVersion, apiStrict }) => apiVersion !== '1' || apiStrict !== true),
      ).to.deep.equal([]);
      expect(proxy.commands.map(({ name }) => name)).to.include.members([
        'insert',
        'find',
        'findAndModify',
        'createIndexes',
      ]);
    });

    it('refuses what version 1 lacks, with apiStrict', async () => {
      const client = clientOf({ serverApi: { version: '1', strict: true } });
      const error = await rejectionOf(client.db().command({ collStats: 'pets' }));
      expect(error).to.include({ code: 323, codeName: 'APIStrictError' });
    });
  });
});

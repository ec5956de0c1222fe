import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { INT64_MIN } from '../../../src/domain/int64.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted } from './scripted-service.js';
import { remoteOf } from './serve-catalogue.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

describe('RemotePetCatalogue', function () {
  this.timeout(180_000);

  let stored: InMemoryPetCatalogue;

  verifyPetCatalogueContract({
    createCatalogue: async () => remoteOf((stored = new InMemoryPetCatalogue())),
    openAnother: async () => remoteOf(stored),
    addOnce: true,
  });

  itHeedsSignals(async () => remoteOf(new InMemoryPetCatalogue()));

  it('asks for JSON, and creates with JSON', async () => {
    const { catalogue, seen } = await startScripted({ status: 201, body: '{"id":1,"name":"Rex","categoryId":7}' });
    await catalogue().add({ name: 'Rex', categoryId: 7n });
    expect(seen[0]?.headers).to.include({ accept: 'application/json', 'content-type': 'application/json' });
  });

  describe('find', () => {
    it('asks for the first animal after the id before', async () => {
      const { catalogue, seen } = await startScripted({ body: '[{"id":7,"name":"Rex","categoryId":-1}]' });
      expect(await catalogue().find(7n)).to.deep.equal({ id: 7n, name: 'Rex', categoryId: -1n });
      expect(seen.map((request) => request.url)).to.deep.equal(['/v1/pets?limit=1&after=6']);
    });

    it('finds nothing if the next animal has another id', async () => {
      const { catalogue } = await startScripted({ body: '[{"id":8,"name":"Rex","categoryId":-1}]' });
      expect(await catalogue().find(7n)).to.equal(undefined);
    });

    it('knows without a request that no animal has an id below 1', async () => {
      const { catalogue, seen } = await startScripted({});
      for (const id of [0n, -1n, INT64_MIN]) expect(await catalogue().find(id)).to.equal(undefined);
      expect(seen).to.deep.equal([]);
    });
  });

  describe('a creation', () => {
    const created = { status: 201, body: '{"id":1,"name":"Rex","categoryId":7,"status":"available"}' };

    it('by add carries a fresh key each time', async () => {
      const { catalogue, seen } = await startScripted(created);
      for (let i = 0; i < 2; i++) await catalogue().add(REX);
      const keys = seen.map(({ headers }) => String(headers['idempotency-key']));
      for (const key of keys) expect(key).to.match(/^[0-9]+(-[0-9]+){3}$/);
      expect(keys[0]).not.to.equal(keys[1]);
    });

    it('by addOnce carries the SHA-256 of its text', async () => {
      const { catalogue, seen } = await startScripted(created);
      await catalogue().addOnce(REX, 'abc');
      expect(seen[0]?.headers['idempotency-key']).to.equal(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      );
    });

    for (const [status, code] of [
      [422, 'idempotency_key_in_use'],
      [409, 'idempotency_key_reused'],
    ] as const) {
      it(`by addOnce is refused with a RemoteStoreError for ${status} ${code}, which the interface does not have`, async () => {
        const { catalogue } = await startScripted({ status, body: JSON.stringify({ code, message: code, status }) });
        const outcome = await rejectionOf(catalogue().addOnce(REX, 'once'));
        expect(outcome).to.include({ name: 'RemoteStoreError', status, code });
      });
    }
  });

  it('refuses to create on a service that keeps no idempotency keys, and stores nothing', async () => {
    const catalogue = await remoteOf(Object.assign(new InMemoryPetCatalogue(), { addOnce: undefined }));
    for (const create of [async () => catalogue.add(REX), async () => catalogue.addOnce(REX, 'once')]) {
      expect(await rejectionOf(create()))
        .to.include({ name: 'RemoteStoreError', status: 400, code: 'invalid_parameter' })
        .and.have.property('message')
        .that.includes('does not support Idempotency-Key');
    }
    expect((await catalogue.list({ limit: 1 })).pets).to.deep.equal([]);
  });
});

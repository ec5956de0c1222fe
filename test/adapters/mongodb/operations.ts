import type { Db } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import type { MongoObserver, MongoOperationName } from '../../../src/adapters/mongodb/operation.js';
import type { ApiKeys } from '../../../src/domain/api-keys/api-keys.js';
import { makeKey } from '../../contracts/api-key-registry-subject.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { patientApiKeys } from '../../support/patient-api-keys.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

/** A record of a key that no database has yet. */
const ANNA = makeKey().record;

/** The three adapters on a database, with the same options. */
export class Adapters {
  readonly catalogue: MongoPetCatalogue;
  readonly registry: MongoApiKeyRegistry;
  readonly apiKeys: ApiKeys;

  constructor(db: Db, options: { readonly deadlineMs: number; readonly observe?: MongoObserver }) {
    this.catalogue = new MongoPetCatalogue(db, options);
    this.registry = new MongoApiKeyRegistry(db, options);
    this.apiKeys = patientApiKeys(new MongoApiKeys(db, options));
  }
}

/** A call that makes an adapter run each operation. */
export const OPERATIONS: Readonly<Record<MongoOperationName, (adapters: Adapters) => Promise<unknown>>> = {
  'pets.add': async ({ catalogue }) => catalogue.add(REX),
  'pets.add_once': async ({ catalogue }) => catalogue.addOnce(REX, randomUUID()),
  'pets.list': async ({ catalogue }) => catalogue.list({ limit: 1 }),
  'pets.find': async ({ catalogue }) => catalogue.find(1n),
  'pets.records': async ({ catalogue }) => catalogue.records().next(),
  'pets.restore': async ({ catalogue }) => catalogue.restore([{ pet: { id: 1n, ...REX } }]),
  'ids.reserve': async ({ catalogue }) => catalogue.add(REX),
  'keys.look_up': async ({ apiKeys }) => apiKeys.verify(generateApiKey()),
  'keys.add': async ({ registry }) => registry.add(makeKey().record),
  'keys.list': async ({ registry }) => registry.list({ limit: 1 }),
  'keys.find': async ({ registry }) => registry.find('of-no-key'),
  'keys.replace': async ({ registry }) => registry.replace(ANNA, { ...ANNA, revokedAt: new Date() }),
};

/** The names of {@link OPERATIONS}. */
export const OPERATION_NAMES = Object.keys(OPERATIONS) as MongoOperationName[];

import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { Child } from '../../../support/child.js';
import { bundleScript } from '../../../support/run-script.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { PATIENT } from '../../../support/patience.js';

const PROCESSES = 4;
const EACH = 500;
const READY = 'ready\n';
const SCRIPT = fileURLToPath(new URL('create-many.ts', import.meta.url));

/** Starts a process that creates animals as soon as its input ends. */
async function startCreator(script: string, url: string): Promise<Child> {
  const creator = Child.start(process.execPath, [script, url, String(EACH)], { stdin: 'pipe' });
  await creator.find(() => creator.stdout.startsWith(READY) || undefined);
  return creator;
}

/** The ids of the animals that a process created, once it has ended. */
async function idsFrom(creator: Child): Promise<string[]> {
  const { code } = await creator.exited;
  expect(code, creator.stderr).to.equal(0);
  return creator.stdout.slice(READY.length).trim().split('\n');
}

describe('several processes on one database', () => {
  const mongodb = useMongodb();

  it(`store every animal with its own id: ${PROCESSES} processes, ${EACH} animals each`, async function () {
    this.timeout(180_000);
    const url = mongodb.createDatabaseUrl();
    const script = await bundleScript(SCRIPT);
    const creators = await Promise.all(Array.from({ length: PROCESSES }, async () => startCreator(script, url)));
    for (const creator of creators) creator.endInput();
    const ids = (await Promise.all(creators.map(idsFrom))).flat();
    expect(ids).to.have.length(PROCESSES * EACH);
    expect(new Set(ids).size).to.equal(PROCESSES * EACH);

    const databaseName = new URL(url).pathname.slice(1);
    const catalogue = new MongoPetCatalogue(mongodb.server().client.db(databaseName), PATIENT);
    const stored = new Set<string>();
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const page = await catalogue.list({ limit: 100, after });
      for (const { id } of page.pets) stored.add(String(id));
      after = page.next;
    }
    expect([...stored].sort()).to.deep.equal(ids.sort());
  });
});

import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { useMongodb } from '../../support/use-mongodb.js';

const PROCESSES = 4;
const EACH = 500;
const SCRIPT = fileURLToPath(new URL('create-many.ts', import.meta.url));

interface Creator {
  begin(): void;
  readonly ids: Promise<string[]>;
}

/** Starts a process that creates animals as soon as it is told to begin. */
async function startCreator(url: string): Promise<Creator> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, url, String(EACH)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).to.equal('ready');
  const read = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) ids.push(line.value);
    expect((await exited)[0]).to.equal(0);
    return ids;
  };
  return { begin: () => child.stdin.end(), ids: read() };
}

describe('several processes on one database', () => {
  const mongodb = useMongodb();

  it(`store every animal under an id of its own: ${PROCESSES} processes, ${EACH} animals each`, async function () {
    this.timeout(90_000);
    const url = mongodb.createDatabaseUrl();
    const creators = await Promise.all(Array.from({ length: PROCESSES }, async () => startCreator(url)));
    for (const { begin } of creators) begin();
    const ids = (await Promise.all(creators.map(async (creator) => creator.ids))).flat();
    expect(ids).to.have.length(PROCESSES * EACH);
    expect(new Set(ids).size).to.equal(PROCESSES * EACH);

    const databaseName = new URL(url).pathname.slice(1);
    const catalogue = new MongoPetCatalogue(mongodb.server().client.db(databaseName));
    const stored = new Set<string>();
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const page = await catalogue.list({ limit: 100, after });
      for (const { id } of page.pets) stored.add(String(id));
      after = page.next;
    }
    expect([...stored].sort()).to.deep.equal(ids.sort());
  });
});

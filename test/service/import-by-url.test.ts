import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../bootstrap/in-process.js';
import { printedBy } from '../bootstrap/outcome.js';
import { runCommand } from '../support/command.js';
import { rejectionOf } from '../support/rejection-of.js';
import { send } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { useMongodb } from '../support/use-mongodb.js';
import { KEY, serveOn } from './serve-on.js';
import { storedIds } from './stored-ids.js';

/** More than a page, and enough for a service to be killed in the middle. */
const COUNT = 3000;
/** A line for each answer in the log would cost as much as the import. */
const FLAG = '--log-level=warn';

describe('animal-store import --url through a running service', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  let file: string;

  beforeEach(() => {
    file = join(makeTemporaryFolder(), 'animals.ndjson');
    const lines = Array.from({ length: COUNT }, (_, i) => `{"name":"pet ${i}","categoryId":${i}}\n`);
    writeFileSync(file, lines.join(''));
  });

  const importInto = async (url: string, API_KEY = KEY): Promise<string> =>
    printedBy(['import', file, `--url=${url}`], { API_KEY });

  it('fails and stores nothing if the service refuses the key', async () => {
    const url = `${(await start()).origin}/v1`;
    expect(String(await rejectionOf(importInto(url, 'another-key-of-16')))).to.include('401');
    expect(await storedIds({ url }, KEY)).to.deep.equal([]);
  });

  it('is completed by running it again if the service and the import were killed in the middle', async () => {
    const store = { STORE: 'mongodb', MONGODB_URL: mongodb.createDatabaseUrl() };
    const killed = await serveOn(store, FLAG);
    const command = runCommand(['import', file, `--url=${killed.url}`], { API_KEY: KEY });
    await until(async () => (await send(`${killed.url}/pets?after=20&limit=1`, { key: KEY })).text !== '[]');
    killed.kill('SIGKILL');
    await killed.exited;
    // It would go on asking for a minute.
    command.kill('SIGKILL');
    expect((await command.exited).signal).to.equal('SIGKILL');

    const service = await serveOn(store, FLAG);
    expect(await importInto(service.url)).to.include('already there: ');
    const ids = await storedIds(service, KEY);
    expect(ids).to.have.lengthOf(COUNT);
    expect(new Set(ids)).to.have.lengthOf(COUNT);
    await service.stop();
  });
});

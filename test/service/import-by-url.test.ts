import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomeOf, runCommand, type Outcome, type RunningCommand } from '../support/command.js';
import { send } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { useMongodb } from '../support/use-mongodb.js';
import { KEY, startService } from './mongodb-service.js';
import { storedIds } from './stored-ids.js';

/** More than a page. */
const COUNT = 120;
/** Enough for a service to be killed in the middle. */
const COUNT_FOR_A_KILL = 220;
/** A line for each answer in the log would cost as much as the import. */
const FLAGS = ['--log-level=warn'];

describe('animal-store import --url through a running service', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  let url: string;
  let file: string;

  beforeEach(() => {
    url = mongodb.createDatabaseUrl();
    file = join(makeTemporaryFolder(), 'animals.ndjson');
  });

  const writeAnimals = (count: number): void => {
    writeFileSync(file, Array.from({ length: count }, (_, i) => `{"name":"pet ${i}","categoryId":${i}}\n`).join(''));
  };

  const argsFor = (service: RunningCommand): string[] => ['import', file, `--url=${service.url}`];

  const importInto = async (service: RunningCommand, key = KEY): Promise<Outcome> =>
    outcomeOf(argsFor(service), { API_KEY: key });

  it('stores each line, and nothing more if it is run again', async () => {
    writeAnimals(COUNT);
    const service = await startService(url, FLAGS);
    const first = await importInto(service);
    expect(first, first.stderr).to.include({ code: 0 });
    expect(first.stdout).to.match(/^imported 120 animals in /);
    expect((await importInto(service)).stdout).to.include('already there: 120 animals\n');
    expect(await storedIds(service, KEY)).to.have.lengthOf(COUNT);
    await service.stop();
  });

  it('ends with 1 and stores nothing if the service refuses the key', async () => {
    writeAnimals(1);
    const service = await startService(url, FLAGS);
    const { code, stderr } = await importInto(service, 'another-key-of-16');
    expect(code).to.equal(1);
    expect(stderr).to.include('401');
    expect(await storedIds(service, KEY)).to.deep.equal([]);
    await service.stop();
  });

  it('is completed by running it again if the service was killed in the middle', async () => {
    writeAnimals(COUNT_FOR_A_KILL);
    const killed = await startService(url, FLAGS);
    const command = runCommand(argsFor(killed), { API_KEY: KEY });
    await until(async () => (await send(`${killed.url}/pets?after=20&limit=1`, { key: KEY })).text !== '[]');
    killed.kill('SIGKILL');
    await killed.exited;
    const { code } = await command.exited;
    expect(code, command.stderr).to.equal(1);

    const service = await startService(url, FLAGS);
    const again = await importInto(service);
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.include('already there: ');
    const ids = await storedIds(service, KEY);
    expect({ animals: ids.length, ids: new Set(ids).size }).to.deep.equal({
      animals: COUNT_FOR_A_KILL,
      ids: COUNT_FOR_A_KILL,
    });
    await service.stop();
  });
});

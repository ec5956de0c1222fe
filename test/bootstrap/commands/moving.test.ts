import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue, PetPage } from '../../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { printedBy, refusalOf } from '../outcome.js';
import { kept, STORE } from './kept-store.js';

const { zoos } = kept;
const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describe('animal-store import, export and restore, in one process', () => {
  let folder: string;
  let warnings: string;
  /** What the last command has printed so far. */
  let printedSoFar: string;
  const { write } = process.stderr;
  const { warn, error } = console;

  beforeEach(() => {
    folder = makeTemporaryFolder();
    zoos.clear();
    kept.apiKeys = new InMemoryApiKeys();
    warnings = '';
    process.stderr.write = (text): boolean => Boolean((warnings += String(text)));
    // What other tests of this process have left may still print on the console; the commands write to the stream.
    const print = (...values: unknown[]): boolean => write.call(process.stderr, `${format(...values)}\n`);
    Object.assign(console, { warn: print, error: print });
  });

  afterEach(() => {
    process.stderr.write = write;
    Object.assign(console, { warn, error });
  });

  const path = (name: string): string => join(folder, name);

  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(path(name), content);
    return path(name);
  };

  /** What the command prints on a store, which keeps its animals under a name. */
  const on = async (zoo: string, ...args: string[]): Promise<string> => {
    printedSoFar = '';
    const text = await printedBy([...args, `--store=${STORE}`], { ZOO: zoo }, (each) => (printedSoFar += each));
    return text.replaceAll(/\d+\.\d s/g, 'N s');
  };

  const errorOn = async (zoo: string, ...args: string[]): Promise<string> =>
    ((await rejectionOf(on(zoo, ...args))) as Error).message.replaceAll(folder, '…');

  const petsIn = async (zoo: string) => (await zoos.get(zoo)?.list({ limit: 100 }))?.pets ?? [];

  async function stock(zoo: string, count: number): Promise<PetCatalogue> {
    const catalogue = new InMemoryPetCatalogue(Array.from({ length: count }, () => REX));
    await catalogue.addOnce(REX, 'key');
    zoos.set(zoo, catalogue);
    return catalogue;
  }

  it('moves animals and remembered creations to another store, by a file that only its owner may read', async () => {
    await stock('old', 3);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    expect(warnings).to.match(/^exported 5 records in \d+\.\d s\n$/);
    expect(statSync(path('zoo.ndjson')).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['zoo.ndjson']);
    const restored = await on('new', 'restore', path('zoo.ndjson'));
    expect(restored).to.equal('restored 4 animals, 0 API keys and 1 remembered creation in N s\n');
    expect(await petsIn('new')).to.deep.equal(await petsIn('old'));
    expect(await zoos.get('new')?.addOnce?.(REX, 'key')).to.deep.include({ replayed: true });
    expect(await on('new', 'restore', path('zoo.ndjson'))).to.include(
      'already there: 4 animals, 0 API keys and 1 remembered creation\n',
    );
  });

  it('leaves the creations out with --animals-only', async () => {
    await stock('old', 1);
    await on('old', 'export', '--animals-only', `--output=${path('zoo.ndjson')}`);
    expect(readFileSync(path('zoo.ndjson'), 'utf8')).to.include('"pets":2,"apiKeys":0,"creations":0');
  });

  it('says what it left out: creations whose animals are not in the file', async () => {
    const catalogue = await stock('old', 0);
    Object.assign(catalogue, { list: async () => ({ pets: [] }) });
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    const printed = await on('new', 'restore', path('zoo.ndjson'));
    expect(printed).to.include('left out: 1 creation whose animal is not in the file\n');
  });

  it('replaces a file, also behind a link, only when the new one is complete, and keeps it if the store fails', async () => {
    const catalogue = await stock('old', 1);
    symlinkSync(file('zoo.ndjson', 'before'), path('link'));
    await on('old', 'export', `--output=${path('link')}`);
    expect(readFileSync(path('zoo.ndjson'), 'utf8')).to.match(/"end":true/);
    file('zoo.ndjson', 'before');
    Object.assign(catalogue, { list: async () => Promise.reject(new Error('the disk is gone')) });
    expect(await errorOn('old', 'export', `--output=${path('zoo.ndjson')}`)).to.equal('the disk is gone');
    expect(readFileSync(path('zoo.ndjson'), 'utf8')).to.equal('before');
    expect(readdirSync(folder).sort()).to.deep.equal(['link', 'zoo.ndjson']);
  });

  it('refuses to write in place of a folder or a device, or where it may not', async () => {
    await stock('old', 1);
    for (const output of [folder, '/dev/null']) {
      expect(await errorOn('old', 'export', `--output=${output}`)).to.match(
        / cannot be written: it is not a regular file$/,
      );
    }
    expect(await errorOn('old', 'export', `--output=${path('no/zoo')}`)).to.equal('…/no/zoo cannot be written');
  });

  it('names file and line of a conflict, and of a file that is cut short', async () => {
    await stock('old', 3);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    const text = readFileSync(path('zoo.ndjson'), 'utf8');
    await stock('other', 0);
    await zoos.get('other')?.add({ name: 'Tom', categoryId: 1n });
    expect(await errorOn('other', 'restore', path('zoo.ndjson'))).to.equal(
      '…/zoo.ndjson: line 3: the store has another animal with the id 2\n  stored so far: perhaps some records; once the cause is fixed, run the same command again to continue',
    );
    expect((await petsIn('other'))[1]).to.include({ name: 'Tom' });
    file('cut.ndjson', text.slice(0, 200));
    expect(await errorOn('new', 'restore', path('cut.ndjson'))).to.match(/^…\/cut\.ndjson: line 4: is not well-formed/);
  });

  it('names file and line of a record that breaks a rule', async () => {
    await stock('old', 1);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    const broken = file('zoo.ndjson', readFileSync(path('zoo.ndjson'), 'utf8').replace('"Rex"', '""'));
    expect(await errorOn('new', 'restore', broken)).to.match(/^…\/zoo\.ndjson: line 2: name must /);
  });

  it('refuses a file that it cannot read, with its name', async () => {
    mkdirSync(path('folder.csv'));
    for (const command of ['restore', 'import']) {
      expect(await errorOn('zoo', command, path('none.csv'))).to.equal('…/none.csv cannot be read');
      expect(await errorOn('zoo', command, path('folder.csv'))).to.equal('…/folder.csv cannot be read: it is a folder');
    }
    expect(await errorOn('zoo', 'restore', '/dev/zero')).to.equal('/dev/zero: line 1: is longer than 1048576 bytes');
    execFileSync('mkfifo', [path('fifo.csv')]);
    expect(await errorOn('zoo', 'restore', path('fifo.csv'))).to.include(
      'it is a named pipe. Make it the standard input',
    );
    expect(await errorOn('zoo', 'import', path('fifo.csv'))).to.include(
      'cannot be read twice, because it is not a regular file',
    );
    expect(await errorOn('zoo', 'import', '-', '--format=csv')).to.include('the standard input cannot be read twice');
  });

  it('imports each line of CSV and NDJSON once, however often it runs', async () => {
    file('a.csv', 'name,categoryId,status,colour\r\nRex,7,sold,red\r\nRex,7,sold,red\r\nTom,9223372036854775807,,\r\n');
    expect(await on('zoo', 'import', path('a.csv'))).to.equal('imported 3 animals in N s\n');
    expect(warnings.replaceAll(folder, '…')).to.equal('…/a.csv: "colour" is ignored\n');
    expect(await on('zoo', 'import', path('a.csv'))).to.equal('imported 0 animals in N s\nalready there: 3 animals\n');
    file('a.ndjson', '{"name":"Kim","categoryId":1}\n');
    expect(await on('zoo', 'import', path('a.ndjson'))).to.equal('imported 1 animal in N s\n');
    expect((await petsIn('zoo')).map(({ name, categoryId }) => `${name} ${categoryId}`)).to.deep.equal([
      'Rex 7',
      'Rex 7',
      'Tom 9223372036854775807',
      'Kim 1',
    ]);
  });

  it('stores nothing of a file with invalid lines, and lists the first twenty', async () => {
    const lines = Array.from({ length: 25 }, (_, i) => `pet ${i},x,\n`).join('');
    file('a.csv', `name,categoryId,status\nRex,7,\n${lines}`);
    const error = await errorOn('zoo', 'import', path('a.csv'));
    expect(error).to.equal('…/a.csv: 25 of 26 lines are invalid; nothing was stored');
    const listed = warnings.trimEnd().split('\n');
    expect(listed).to.have.length(21);
    expect(listed[0]).to.match(/a\.csv: line 3: categoryId must be an integer from -9223372036854775808 to/);
    expect(listed[19]).to.match(/a\.csv: line 22: /);
    expect(listed[20]).to.match(/a\.csv: and 5 more invalid lines$/);
    expect(await petsIn('zoo')).to.deep.equal([]);
  });

  it('stores the valid lines with --skip-invalid', async () => {
    const name = file('a.csv', 'name,categoryId\nRex,7\nTom,x\n');
    expect(await on('zoo', 'import', name, '--skip-invalid')).to.equal(
      'imported 1 animal in N s\nskipped: 1 invalid line\n',
    );
  });

  it('lists exactly twenty invalid lines without counting any more', async () => {
    const name = file('a.csv', `name,categoryId\n${'Tom,x\n'.repeat(20)}`);
    await rejectionOf(printedBy(['import', name, '--dry-run']));
    expect(warnings.trimEnd().split('\n')).to.have.lengthOf(20);
  });

  it('stores nothing with --dry-run, and needs no store for it', async () => {
    file('a.csv', 'name,categoryId\nRex,7\n');
    expect(await printedBy(['import', path('a.csv'), '--dry-run'])).to.equal('1 animal can be imported\n');
  });

  const changes: Readonly<Record<string, readonly [change: (name: string) => void, message: RegExp]>> = {
    shrinks: [
      (name) => truncateSync(name, 100_001),
      /^…\/a\.csv has shrunk while it was read: it had 180016 bytes, and only \d+ came$/,
    ],
    grows: [(name) => appendFileSync(name, 'Tom,7\n'), /^…\/a\.csv has grown while it was read: it had 180016 bytes$/],
    'changes, but not its size': [
      (name) => writeFileSync(name, `name,categoryId\n${'Tom,7\n'.repeat(30_000)}`),
      /^…\/a\.csv has changed while it was imported$/,
    ],
  };
  for (const [what, [change, message]] of Object.entries(changes)) {
    it(`ends an import with an error if the file ${what}, and says only what is stored`, async () => {
      const name = file('a.csv', `name,categoryId\n${'Rex,7\n'.repeat(30_000)}`);
      const catalogue = new InMemoryPetCatalogue();
      const { addManyOnce } = catalogue;
      Object.assign(catalogue, {
        async addManyOnce(...args: Parameters<typeof addManyOnce>) {
          Object.assign(catalogue, { addManyOnce });
          change(name);
          return addManyOnce.apply(catalogue, args);
        },
      });
      zoos.set('zoo', catalogue);
      const [error, left] = (await errorOn('zoo', 'import', name)).split('\n');
      expect(printedSoFar).to.equal('');
      expect(error).to.match(message);
      const [, count] = /^ {2}stored so far: at least (\d+) animals; run the same command again/.exec(left ?? '') ?? [];
      expect(Number(count)).to.be.within(1000, 30_000);
      expect(await catalogue.find(BigInt(count as string))).to.include({ categoryId: 7n });
      expect(await catalogue.find(30_001n)).to.equal(undefined);
    });
  }

  it('refuses to import an export, which would get other ids', async () => {
    await stock('old', 1);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    for (const flag of ['--dry-run', '--skip-invalid']) {
      expect(await errorOn('new', 'import', path('zoo.ndjson'), flag)).to.equal(
        '…/zoo.ndjson is an export: use restore, which stores its animals with their ids',
      );
    }
    expect(await petsIn('new')).to.deep.equal([]);
  });

  it('says what a restore has stored if the store fails', async () => {
    await stock('old', 2500);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    const catalogue = new InMemoryPetCatalogue();
    const { restore } = catalogue;
    let calls = 0;
    Object.assign(catalogue, {
      async restore(...args: Parameters<typeof restore>) {
        if (++calls === 3) throw new Error('the disk is gone');
        return restore.apply(catalogue, args);
      },
    });
    zoos.set('new', catalogue);
    expect(await errorOn('new', 'restore', path('zoo.ndjson'))).to.equal(
      'the disk is gone\n  stored so far: at least 2000 records; once the cause is fixed, run the same command again to continue',
    );
    expect(await on('new', 'restore', path('zoo.ndjson'))).to.include('already there: 2000 animals,');
  });

  it('says which format it cannot tell, and which settings are missing', async () => {
    file('a.txt', '');
    expect(await errorOn('zoo', 'import', path('a.txt'))).to.include('does not tell its format: say --format ndjson');
    expect((await refusalOf(['import'])).errors).to.deep.equal([
      'FILE is required',
      '--store, STORE or MONGODB_URL must say where the animals are kept',
    ]);
    const remote = ['import', 'a.csv', '--url=https://animals.example/v1'];
    expect((await refusalOf(remote)).errors).to.deep.equal(['API_KEY is required with --url']);
    expect((await refusalOf(['export', '--store=memory'])).errors).to.deep.equal([
      '--store must be a store that outlives the command: memory does not',
    ]);
  });

  it('refuses a store that cannot move its animals', async () => {
    const catalogue = new InMemoryPetCatalogue([REX]);
    zoos.set('zoo', Object.assign(catalogue, { restore: undefined, listCreations: undefined }));
    expect(await errorOn('zoo', 'export', `--output=${path('zoo.ndjson')}`)).to.include(
      'this catalogue cannot list the creations',
    );
    await stock('old', 1);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    expect(await errorOn('zoo', 'restore', path('zoo.ndjson'))).to.include('this catalogue cannot restore animals');
  });

  /** Sends this process a signal whenever a method of the catalogue is called. */
  function interruptIn(
    catalogue: PetCatalogue,
    method: 'addManyOnce' | 'list' | 'restore',
    signal: NodeJS.Signals = 'SIGINT',
  ): PetCatalogue {
    const original = catalogue[method] as (...args: unknown[]) => unknown;
    return Object.assign(catalogue, {
      [method](...args: unknown[]) {
        process.emit(signal, signal);
        return original.apply(catalogue, args);
      },
    });
  }

  const interruptionOf = async (...args: Parameters<typeof errorOn>): Promise<string> => {
    const listeners = process.listenerCount('SIGINT');
    const error = await rejectionOf(on(...args));
    expect(error).to.include({ name: 'InterruptedError', exitCode: 130 });
    expect(process.listenerCount('SIGINT')).to.equal(listeners);
    return (error as Error).message.replaceAll(folder, '…');
  };

  it('ends at SIGTERM with an exit code of its own', async () => {
    interruptIn(await stock('old', 1), 'list', 'SIGTERM');
    expect(await rejectionOf(on('old', 'export'))).to.include({ name: 'InterruptedError', exitCode: 143 });
  });

  it('leaves a second signal to Node, which then ends the process at once', async () => {
    const listeners = process.listenerCount('SIGINT');
    let listenersLeft = 0;
    const list = async (): Promise<PetPage> => {
      process.emit('SIGINT', 'SIGINT');
      listenersLeft = process.listenerCount('SIGINT');
      return { pets: [] };
    };
    Object.assign(await stock('old', 1), { list });
    expect(await errorOn('old', 'export')).to.match(/^stopped by SIGINT /);
    expect(listenersLeft).to.equal(listeners);
  });

  it('ends an import at Ctrl-C after the current batch, and continues it when it is run again', async () => {
    const name = file('a.csv', `name,categoryId\n${'Rex,7\n'.repeat(1100)}`);
    const catalogue = new InMemoryPetCatalogue();
    zoos.set('zoo', interruptIn(catalogue, 'addManyOnce'));
    expect(await interruptionOf('zoo', 'import', name)).to.equal(
      'stopped by SIGINT after 1000 animals: run the same command again to continue',
    );
    expect(await catalogue.find(1000n)).to.include({ name: 'Rex' });
    expect(await catalogue.find(1001n)).to.equal(undefined);
    delete (catalogue as Partial<InMemoryPetCatalogue>).addManyOnce;
    expect(await on('zoo', 'import', name)).to.include('already there: 1000 animals\n');
    expect(await catalogue.find(1100n)).to.include({ name: 'Rex' });
    expect(await catalogue.find(1101n)).to.equal(undefined);
  });

  it('ends a restore at Ctrl-C after the current batch, and continues it when it is run again', async () => {
    await stock('old', 2500);
    await on('old', 'export', `--output=${path('zoo.ndjson')}`);
    const catalogue = new InMemoryPetCatalogue();
    zoos.set('new', interruptIn(catalogue, 'restore'));
    expect(await interruptionOf('new', 'restore', path('zoo.ndjson'))).to.equal(
      'stopped by SIGINT after 1000 records: run the same command again to continue',
    );
    delete (catalogue as Partial<InMemoryPetCatalogue>).restore;
    const printed = await on('new', 'restore', path('zoo.ndjson'));
    expect(printed).to.include('restored 1501 animals').and.to.include('already there: 1000 animals');
  });

  it('ends an export at Ctrl-C, and leaves the file that has its name as it was', async () => {
    file('zoo.ndjson', 'before');
    interruptIn(await stock('old', 300), 'list');
    expect(await interruptionOf('old', 'export', `--output=${path('zoo.ndjson')}`)).to.equal(
      'stopped by SIGINT after 0 records: …/zoo.ndjson was not written',
    );
    expect(readFileSync(path('zoo.ndjson'), 'utf8')).to.equal('before');
    expect(readdirSync(folder)).to.deep.equal(['zoo.ndjson']);
  });
});

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { startScripted } from '../../adapters/remote/scripted-service.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { printedBy } from '../outcome.js';
import { kept, STORE } from './kept-store.js';

const { zoos } = kept;
const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describe('animal-store import, export and restore, in one process', () => {
  let folder: string;
  let warnings: string;
  const { write } = process.stderr;

  beforeEach(() => {
    folder = makeTemporaryFolder();
    zoos.clear();
    kept.apiKeys = new InMemoryApiKeys();
    warnings = '';
    process.stderr.write = (text): boolean => Boolean((warnings += String(text)));
  });

  afterEach(() => {
    process.stderr.write = write;
  });

  const path = (name: string): string => join(folder, name);

  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(path(name), content);
    return path(name);
  };

  /** What the command prints on a store, which keeps its animals under a name. */
  const on = async (zoo: string, ...args: string[]): Promise<string> =>
    (await printedBy([...args, `--store=${STORE}`], { ZOO: zoo })).replaceAll(/\d+\.\d s/g, 'N s');

  const errorOn = async (zoo: string, ...args: string[]): Promise<string> =>
    ((await rejectionOf(on(zoo, ...args))) as Error).message.replaceAll(folder, '…');

  const petsIn = async (zoo: string) => (await zoos.get(zoo)?.list({ limit: 100 }))?.pets ?? [];

  async function stock(zoo: string, count: number): Promise<InMemoryPetCatalogue> {
    const catalogue = new InMemoryPetCatalogue(Array.from({ length: count }, () => REX));
    await catalogue.addOnce(REX, 'key');
    zoos.set(zoo, catalogue);
    return catalogue;
  }

  /** Exports a store into a file. */
  const exported = async (zoo: string, name = 'zoo.ndjson'): Promise<string> => file(name, await on(zoo, 'export'));

  it('moves animals with their idempotency keys, and API keys, to another store', async () => {
    await stock('old', 3);
    const { key } = await apiKeyManagerOf(kept.apiKeys).issue({ name: 'anna' });
    const whole = await exported('old');
    expect(warnings).to.match(/^exported 5 records in \d+\.\d s\n$/);
    kept.apiKeys = new InMemoryApiKeys();
    expect(await on('new', 'restore', whole)).to.equal('restored 4 animals and 1 API key in N s\n');
    expect(await petsIn('new')).to.deep.equal(await petsIn('old'));
    expect(await zoos.get('new')?.addOnce?.(REX, 'key')).to.deep.include({ replayed: true });
    expect(await kept.apiKeys.verify(key)).to.deep.equal({ name: 'anna' });
    expect(await on('new', 'restore', whole)).to.equal(
      'restored 0 animals and 0 API keys in N s; already there: 4 animals and 1 API key\n',
    );
  });

  it('names file and line of a conflict, of a record that breaks a rule, and of a file that is cut short', async () => {
    await stock('old', 3);
    const whole = await exported('old');
    const text = readFileSync(whole, 'utf8');
    await stock('other', 0);
    await zoos.get('other')?.add({ name: 'Tom', categoryId: 1n });
    expect(await errorOn('other', 'restore', whole)).to.match(/^…\/zoo\.ndjson: line \d: the store has another animal/);
    expect((await petsIn('other'))[1]).to.include({ name: 'Tom' });
    const broken = file('broken.ndjson', text.replace('"Rex"', '""'));
    expect(await errorOn('new', 'restore', broken)).to.match(/^…\/broken\.ndjson: line 2: name must /);
    const cut = file('cut.ndjson', text.slice(0, 200));
    expect(await errorOn('new', 'restore', cut)).to.match(/^…\/cut\.ndjson: /);
  });

  it('refuses a file that it cannot read, with its name', async () => {
    mkdirSync(path('folder.csv'));
    for (const command of ['restore', 'import']) {
      expect(await errorOn('zoo', command, path('none.csv'))).to.match(/^ENOENT: .*'…\/none\.csv'$/);
      expect(await errorOn('zoo', command, path('folder.csv'))).to.match(
        /^…\/folder\.csv(?:: EISDIR| is not a regular file)/,
      );
    }
    execFileSync('mkfifo', [path('fifo.csv')]);
    expect(await errorOn('zoo', 'import', path('fifo.csv'))).to.include('is not a regular file');
  });

  it('imports each line of CSV and NDJSON once, however often it runs', async () => {
    file('a.csv', 'name,categoryId,status,colour\r\nRex,7,sold,red\r\nRex,7,sold,red\r\nTom,9223372036854775807,,\r\n');
    expect(await on('zoo', 'import', path('a.csv'))).to.equal('imported 3 animals in N s\n');
    expect(warnings.replaceAll(folder, '…')).to.equal('…/a.csv: "colour" is ignored\n');
    expect(await on('zoo', 'import', path('a.csv'))).to.equal('imported 0 animals in N s; already there: 3 animals\n');
    file('a.ndjson', '{"name":"Kim","categoryId":1}\n');
    expect(await on('zoo', 'import', path('a.ndjson'))).to.equal('imported 1 animal in N s\n');
    expect((await petsIn('zoo')).map(({ name, categoryId }) => `${name} ${categoryId}`)).to.deep.equal([
      'Rex 7',
      'Rex 7',
      'Tom 9223372036854775807',
      'Kim 1',
    ]);
  });

  it('stores nothing of a file with invalid lines, and lists each of them', async () => {
    const lines = Array.from({ length: 25 }, (_, i) => `pet ${i},x,\n`).join('');
    file('a.csv', `name,categoryId,status\nRex,7,\n${lines}`);
    expect(await errorOn('zoo', 'import', path('a.csv'))).to.equal(
      '…/a.csv: 25 of 26 lines invalid; nothing was stored',
    );
    const listed = warnings.trimEnd().split('\n');
    expect(listed).to.have.length(25);
    expect(listed[0]).to.match(/a\.csv: line 3: categoryId must be an integer from -9223372036854775808 to/);
    expect(await petsIn('zoo')).to.deep.equal([]);
  });

  it('stores the valid lines with --skip-invalid, and lists the others', async () => {
    const name = file('a.csv', 'name,categoryId\nRex,7\nTom,x\n');
    expect(await on('zoo', 'import', name, '--skip-invalid')).to.equal(
      'imported 1 animal in N s; skipped: 1 invalid line\n',
    );
    expect(warnings).to.include('line 3: ');
  });

  it('stores nothing with --dry-run, and needs no store for it', async () => {
    const name = file('a.csv', 'name,categoryId\nRex,7\n');
    expect(await printedBy(['import', name, '--dry-run'])).to.equal('1 animal can be imported\n');
  });

  it('says that a file holds no animals', async () => {
    expect(await errorOn('zoo', 'import', file('a.ndjson', '\n\n'))).to.match(/^…\/a\.ndjson: /);
  });

  it('stores nothing of a file that changes between the two times that it is read', async () => {
    const name = file('a.csv', 'name,categoryId\nRex,7\n');
    process.stderr.write = (text: unknown): boolean => {
      // A warning of Node could come earlier.
      if (String(text).includes('colour')) appendFileSync(name, 'Tom,7,red\n');
      return true;
    };
    file('a.csv', 'name,categoryId,colour\nRex,7,red\n');
    expect(await errorOn('zoo', 'import', name)).to.match(/^…\/a\.csv has changed/);
    expect(await petsIn('zoo')).to.deep.equal([]);
  });

  it('ends with an error if the file changes while it is imported', async () => {
    const text = `name,categoryId\n${'Rex,7\n'.repeat(30_000)}`;
    const name = file('a.csv', text);
    const catalogue = new InMemoryPetCatalogue();
    const { addOnce } = catalogue;
    let calls = 0;
    Object.assign(catalogue, {
      async addOnce(...args: Parameters<typeof addOnce>) {
        if (++calls === 1) writeFileSync(name, text.replaceAll('Rex', 'Tom'));
        return addOnce.apply(catalogue, args);
      },
    });
    zoos.set('zoo', catalogue);
    expect(await errorOn('zoo', 'import', name)).to.match(
      /^…\/a\.csv has changed while it was imported: \d+ animals stored$/,
    );
  });

  it('repeats a call while the store is unavailable, and stores everything once', async () => {
    const catalogue = await stock('zoo', 2);
    const addOnce = catalogue.addOnce.bind(catalogue);
    let calls = 0;
    catalogue.addOnce = async (...args) => {
      const creation = await addOnce(...args);
      if (++calls === 1) throw new AnimalStoreError('store_unavailable', 'the answer is lost');
      return creation;
    };
    expect(await on('zoo', 'import', file('a.ndjson', '{"name":"Kim","categoryId":1}\n'))).to.equal(
      'imported 0 animals in N s; already there: 1 animal\n',
    );
    expect(await petsIn('zoo')).to.have.lengthOf(4);
  });

  it('repeats a call through a service while that is unavailable', async () => {
    const created = { status: 201, body: '{"id":1,"name":"Kim","categoryId":1}' };
    const { url } = await startScripted({ status: 503, headers: { 'Retry-After': '3600' } }, created);
    const name = file('a.ndjson', '{"name":"Kim","categoryId":1}\n');
    expect(await printedBy(['import', name, `--url=${url}`], { API_KEY: 'a key' })).to.match(/^imported 1 animal /);
  });

  it('refuses to import an export, which would get other ids', async () => {
    await stock('old', 1);
    const whole = await exported('old');
    for (const flag of ['--dry-run', '--skip-invalid']) {
      expect(await errorOn('new', 'import', whole, flag)).to.equal(
        '…/zoo.ndjson is an export: use restore, which keeps the ids of its animals',
      );
    }
    expect(await petsIn('new')).to.deep.equal([]);
  });
});

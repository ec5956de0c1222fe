import { expect } from 'chai';
import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { outcomeOf, type RunningCommand } from '../../support/command.js';
import {
  createKey,
  issuedBy,
  keys,
  startService,
  useDatabaseOfSuite,
  type IssuedKey,
} from '../../service/mongodb-service.js';
import { send } from '../../support/request.js';
import { SLACK_MS } from '../../support/slack.js';
import { until } from '../../support/until.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { linesOf, printedBy } from '../outcome.js';

const DAY = 86_400_000;
/** What a time loses when it is printed without its milliseconds. */
const SECOND = 1000;
/** By when every process knows of a change to a key, on a busy machine. */
const SPREAD_MS = 5000 + SLACK_MS;
/** The pause between two uses of a key that changes, in milliseconds. */
const PAUSE_MS = 100;

/** What `keys list --json` tells of every key. */
const MEMBERS = ['id', 'name', 'createdAt', 'state'];

describe('animal-store keys', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  const url = useDatabaseOfSuite(mongodb);
  let services: RunningCommand[] = [];

  before(async function startServices() {
    services = await Promise.all([startService(url()), startService(url())]);
  });

  after(async () => {
    await Promise.all(services.map(async (service) => service.stop()));
  });

  const database = (): Db => mongodb.server().client.db(new URL(url()).pathname.slice(1));

  const create = async (): Promise<IssuedKey> => createKey(database());

  /** The statuses with which the services answer a list to a holder of the key. */
  const statuses = async (key: string): Promise<(number | undefined)[]> =>
    Promise.all(services.map(async (service) => (await send(`${service.url}/pets`, { key })).status));

  /** Waits until each service answers with this status, using the key all the time; for how many milliseconds. */
  const untilAll = async (key: string, status: number): Promise<number> =>
    until(async () => {
      await setTimeout(PAUSE_MS);
      return (await statuses(key)).every((each) => each === status);
    });

  /** What `animal-store keys` prints, in this process. */
  const printed = async (...args: string[]): Promise<string> =>
    printedBy(['keys', ...args], { STORE: 'mongodb', MONGODB_URL: url() });

  /** The id and the key that `animal-store keys` prints, in this process. */
  const issued = async (...args: string[]): Promise<IssuedKey> =>
    issuedBy({ code: 0, stdout: await printed(...args), stderr: '' });

  /** The line of `keys list` about a key. */
  const listed = async (id: string): Promise<string> => {
    const lines = linesOf(await printed('list')).filter((line) => line.startsWith(id));
    expect(lines).to.have.lengthOf(1);
    return lines[0] ?? '';
  };

  it('makes a key that works on the services that run, and prints it once', async () => {
    const outcome = await keys(url(), 'create', '--name', 'anna of the zoo');
    const { id, key } = issuedBy(outcome);
    expect(key).to.match(/^ask_[0-9A-Za-z]{38}$/);
    expect(outcome.stdout.split(key)).to.have.lengthOf(2);
    expect(outcome.stdout).to.include('anna of the zoo').and.to.include('never');
    expect(outcome.stderr).to.equal('');
    expect(await untilAll(key, 200)).to.be.lessThan(SPREAD_MS);
    expect(await listed(id)).to.match(/ active +anna of the zoo$/);
  });

  it('makes a key with the lifetime that it is given', async () => {
    const before = Date.now();
    const stdout = await printed('create', '--expires', '90d', '--name=ben');
    const text = /^expires +(\S+ \S+ UTC)$/m.exec(stdout)?.[1] ?? '';
    expect(Date.parse(text)).to.be.within(before + 90 * DAY - SECOND, Date.now() + 90 * DAY);
    const { id } = issuedBy({ code: 0, stdout, stderr: '' });
    expect(await listed(id)).to.include(`active until ${text} (89 days left)`);
  });

  it('makes a key that stops working when its time is over, and lists it as expired', async () => {
    const { id, key } = await issued('create', '--name', 'anna', '--expires', '8s');
    expect(await statuses(key)).to.deep.equal([200, 200]);
    expect(await untilAll(key, 401)).to.be.lessThan(8000 + SPREAD_MS);
    expect(await listed(id)).to.include(' expired ');
  });

  it('ends a key on every service within 5 seconds of its revocation', async () => {
    const [{ id, key }, other] = await Promise.all([create(), create()]);
    expect(await statuses(key)).to.deep.equal([200, 200]);
    const revocation = await keys(url(), 'revoke', id);
    expect(revocation).to.deep.equal({ code: 0, stdout: `revoked ${id}\n`, stderr: '' });
    expect(await untilAll(key, 401)).to.be.lessThan(SPREAD_MS);
    expect(await listed(id)).to.match(/ revoked \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC /);
    expect(await statuses(other.key)).to.deep.equal([200, 200]);
  });

  it('may revoke a key again', async () => {
    const { id } = await create();
    await printed('revoke', id);
    const before = await listed(id);
    await printed('revoke', id);
    expect(await listed(id)).to.equal(before);
  });

  it('makes a key to replace an old one, which keeps working for a day', async () => {
    const old = await create();
    const before = Date.now();
    const successor = issuedBy(await keys(url(), 'rotate', old.id));
    expect(successor.id).not.to.equal(old.id);
    for (const { key } of [old, successor]) expect(await statuses(key)).to.deep.equal([200, 200]);
    const expiry = Date.parse(/active until (.* UTC)/.exec(await listed(old.id))?.[1] ?? '');
    expect(expiry).to.be.within(before + DAY - SECOND, Date.now() + DAY);
    expect(await listed(successor.id)).to.match(/ active +anna$/);
  });

  it('ends the old key after the overlap that it is given', async () => {
    const old = await create();
    expect(await statuses(old.key)).to.deep.equal([200, 200]);
    const successor = await issued('rotate', old.id, '--overlap=1s');
    expect(await untilAll(old.key, 401)).to.be.lessThan(1000 + SPREAD_MS);
    expect(await statuses(successor.key)).to.deep.equal([200, 200]);
    expect(await listed(old.id)).to.include(' expired ');
  });

  it('ends the old key immediately if there is no overlap', async () => {
    const old = await create();
    await issued('rotate', old.id, '--overlap=0s');
    expect(await listed(old.id)).to.include(' expired ');
  });

  it('lists the keys with their columns aligned, the header first', async () => {
    await create();
    const [header = '', ...lines] = linesOf(await printed('list'));
    expect(header.split(/ +/)).to.deep.equal(['ID', 'CREATED', 'STATE', 'NAME']);
    const column = header.indexOf('NAME');
    expect(lines.filter((line) => !/^ {2}\S/.test(line.slice(column - 2)))).to.deep.equal([]);
  });

  it('lists for how many days, hours, minutes or seconds a key still works', async () => {
    const spans = { '1 day': 1.5 * DAY, '2 hours': DAY / 9, '15 minutes': DAY / 90, '\\d+ seconds': 55 * SECOND };
    const ids = await Promise.all(
      Object.values(spans).map(async (lifetimeMs) => (await createKey(database(), { lifetimeMs })).id),
    );
    const stdout = await printed('list');
    Object.keys(spans).forEach((span, i) => {
      expect(stdout).to.match(new RegExp(`^${ids[i]} .* \\(${span} left\\) +anna$`, 'm'));
    });
  });

  it('lists the keys as JSON, with exact times and the state of each', async () => {
    const for90Days = createKey(database(), { lifetimeMs: 90 * DAY });
    const [kept, brief, gone] = await Promise.all([create(), for90Days, create()]);
    await printed('revoke', gone.id);
    const entries = JSON.parse(await printed('list', '--json')) as Record<string, string>[];
    const about = (id: string): Record<string, string> => entries.find((entry) => entry['id'] === id) ?? {};
    expect(about(kept.id))
      .to.include({ name: 'anna', state: 'active' })
      .and.to.have.all.keys(...MEMBERS);
    expect(about(brief.id))
      .to.include({ state: 'active' })
      .and.to.have.all.keys(...MEMBERS, 'expiresAt');
    expect(about(gone.id))
      .to.include({ state: 'revoked' })
      .and.to.have.all.keys(...MEMBERS, 'revokedAt');
    const { createdAt = '', expiresAt = '' } = about(brief.id);
    expect(createdAt).to.equal(new Date(createdAt).toISOString());
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.be.within(89 * DAY, 90 * DAY);
  });

  it('needs no store in addition to MONGODB_URL', async () => {
    const { id } = await create();
    const { code, stdout } = await outcomeOf(['keys', 'list'], { MONGODB_URL: url() });
    expect(code).to.equal(0);
    expect(stdout).to.include(id);
  });

  it('lists no key, and neither database nor logs hold one in clear', async () => {
    const { key } = await create();
    expect(await statuses(key)).to.deep.equal([200, 200]);
    const stored = JSON.stringify(await database().collection('apiKeys').find({}, { promoteBuffers: true }).toArray());
    const stdout = await printed('list');
    const logs = services.map(({ stderr }) => stderr).join('');
    for (const text of [stored, stdout, logs]) {
      expect(text).to.include('anna').and.not.to.include(key.slice(4, 36));
    }
  });
});

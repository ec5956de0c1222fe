import { expect } from 'chai';
import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import type { RunningCommand } from '../../support/command.js';
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
import { printedBy } from '../outcome.js';

/** By when every process knows of a change to a key, on a busy machine. */
const SPREAD_MS = 5000 + SLACK_MS;
/** The pause between two uses of a key that changes, in milliseconds. */
const PAUSE_MS = 100;

describe('animal-store keys beside services on MongoDB', function () {
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

  it('makes a key that works on the services that run, and prints it once', async () => {
    const outcome = await keys(url(), 'create', '--name', 'anna of the zoo');
    const { key } = issuedBy(outcome);
    expect(outcome.stdout.split(key)).to.have.lengthOf(2);
    expect(outcome.stderr).to.equal('');
    expect(await untilAll(key, 200)).to.be.lessThan(SPREAD_MS);
  });

  it('ends a key on every service within 5 seconds of its revocation', async () => {
    const [{ id, key }, other] = await Promise.all([create(), create()]);
    expect(await statuses(key)).to.deep.equal([200, 200]);
    const revocation = await keys(url(), 'revoke', id);
    expect(revocation).to.deep.equal({ code: 0, stdout: `revoked ${id}\n`, stderr: '' });
    expect(await untilAll(key, 401)).to.be.lessThan(SPREAD_MS);
    expect(await statuses(other.key)).to.deep.equal([200, 200]);
  });

  it('ends the old key after the overlap that it is given', async () => {
    const old = await create();
    expect(await statuses(old.key)).to.deep.equal([200, 200]);
    const successor = issuedBy(await keys(url(), 'rotate', old.id, '--overlap=1s'));
    expect(await untilAll(old.key, 401)).to.be.lessThan(1000 + SPREAD_MS);
    expect(await statuses(successor.key)).to.deep.equal([200, 200]);
  });

  it('lists no key, and neither database nor logs hold one in clear', async () => {
    const { key } = await create();
    expect(await statuses(key)).to.deep.equal([200, 200]);
    const stored = JSON.stringify(await database().collection('apiKeys').find({}, { promoteBuffers: true }).toArray());
    const listed = await printedBy(['keys', 'list'], { MONGODB_URL: url() });
    const logs = services.map(({ stderr }) => stderr).join('');
    for (const text of [stored, listed, logs]) {
      expect(text).to.include('anna').and.not.to.include(key.slice(4, 36));
    }
  });
});

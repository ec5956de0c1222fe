import { expect } from 'chai';
import { useMongodb } from '../support/use-mongodb.js';
import { startHttpLoad } from './http-load.js';
import { ANSWERED_BEFORE_THE_KILL, verifyKills } from './kills.js';
import { KEY, startService } from './mongodb-service.js';
import { storedIds } from './stored-ids.js';

describe('animal-store serve killed under load', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();

  it('loses no acknowledged animal and assigns no id twice, however often it is killed', async () => {
    const url = mongodb.createDatabaseUrl();
    await verifyKills(async () => startService(url), KEY);
  });

  it('loses no acknowledged animal if another service on the database keeps running', async () => {
    const url = mongodb.createDatabaseUrl();
    const [killed, survivor] = await Promise.all([startService(url), startService(url)]);
    const [lost, kept] = [startHttpLoad(killed, [KEY]), startHttpLoad(survivor, [KEY])];
    await Promise.all([lost, kept].map(async ({ load }) => load.next('answered', ANSWERED_BEFORE_THE_KILL)));
    killed.kill('SIGKILL');
    await killed.exited;
    await kept.load.next('answered', ANSWERED_BEFORE_THE_KILL);
    const [{ unexpected, unavailable }] = await Promise.all([kept.load.end(), lost.load.ended()]);
    expect({ unexpected, unavailable }).to.deep.equal({ unexpected: [], unavailable: 0 });
    const acknowledged = [...lost.created, ...kept.created];
    expect(new Set(acknowledged).size).to.equal(acknowledged.length);
    expect(await storedIds(survivor, KEY)).to.include.members(acknowledged);
    await survivor.stop();
  });
});

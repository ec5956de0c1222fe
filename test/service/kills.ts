import { expect } from 'chai';
import type { RunningCommand } from '../support/command.js';
import { startHttpLoad } from './http-load.js';
import { storedIds } from './stored-ids.js';

const ROUNDS = 3;

/** How many requests of a load are answered before its service is killed. */
export const ANSWERED_BEFORE_THE_KILL = 90;

/**
 * Kills a service under load several times, and checks that the store holds every acknowledged animal, and no id twice.
 *
 * @param start Starts the service, on the same store each time.
 * @param key A key that it accepts.
 */
export async function verifyKills(start: () => Promise<RunningCommand>, key: string): Promise<void> {
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start();
    const { load, created } = startHttpLoad(service, [key]);
    await load.next('answered', ANSWERED_BEFORE_THE_KILL);
    service.kill('SIGKILL');
    expect(await service.exited).to.deep.equal({ code: null, signal: 'SIGKILL' });
    await load.ended();
    acknowledged.push(...created);
  }
  expect(acknowledged.length).to.be.greaterThan(ROUNDS);
  expect(new Set(acknowledged).size).to.equal(acknowledged.length);

  const survivor = await start();
  const stored = await storedIds(survivor, key);
  expect(new Set(stored).size).to.equal(stored.length);
  expect(stored).to.include.members(acknowledged);
  await survivor.stop();
}

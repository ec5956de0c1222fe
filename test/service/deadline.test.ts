import { expect } from 'chai';
import type { RunningCommand } from '../support/command.js';
import { request } from '../support/request.js';
import { usePrivateServer } from '../support/use-mongodb.js';
import { isUnavailable } from './http-load.js';
import { KEY, startService } from './mongodb-service.js';

describe('animal-store serve --mongodb-deadline', () => {
  const { server } = usePrivateServer();

  afterEach(() => server().resume());

  const start = async (deadline: string): Promise<RunningCommand> =>
    startService(server().url, [`--mongodb-deadline=${deadline}`]);

  /** Sends a list. Resolves to whether it was answered 503 rather than 200. */
  async function isRefused({ port }: RunningCommand): Promise<boolean> {
    const answer = await request(port, 'GET', '/v1/pets', { key: KEY });
    if (!isUnavailable(answer)) expect(answer.status).to.equal(200);
    return isUnavailable(answer);
  }

  it('ends a request that the database does not answer by that deadline', async () => {
    const [hasty, patient] = await Promise.all([start('2s'), start('8s')]);
    expect([await isRefused(hasty), await isRefused(patient)]).to.deep.equal([false, false]);
    await server().pause();
    const ended: string[] = [];
    async function refuse(service: RunningCommand, name: string): Promise<void> {
      expect(await isRefused(service)).to.equal(true);
      ended.push(name);
    }
    // Two short deadlines, one after the other, are over before the long one.
    await Promise.all([
      refuse(patient, 'patient'),
      refuse(hasty, 'hasty').then(async () => refuse(hasty, 'hasty again')),
    ]);
    expect(ended).to.deep.equal(['hasty', 'hasty again', 'patient']);
  });
});

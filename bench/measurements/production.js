import { compareAnswers } from '../compare-answers.js';
import { SCENARIOS } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { openPreparedMongodb } from '../stores/open-prepared-mongodb.js';
import { costsInRounds } from './cost.js';
import { ratiosTable } from './requests.js';

/** Servers on MongoDB, in the form of those of `subjects.js`: Animal Store, and what is compared with it. */
const SUBJECTS = [
  { name: 'ours-mongodb', title: 'Animal Store on MongoDB', differences: [] },
  { name: 'fastify-mongodb', title: "Fastify 5 and MongoDB's driver", differences: ['messages', 'integers'] },
];

const MEASURED = ['list-20', 'list-100', 'sold', 'get', 'create'];

/**
 * What a request costs Animal Store on MongoDB, as its command runs it, and Fastify with MongoDB's driver. The database is a
 * server of prepared replies in a process of its own, so that the servers are measured and not a database.
 */
export async function measureProduction({ rounds, seconds, warmUpRequests }) {
  await compareAnswers(SUBJECTS, startOnMongodb);
  const database = await openPreparedMongodb();
  try {
    const starts = SUBJECTS.map(
      ({ name }) =>
        async () =>
          startServer(name, { env: { MONGODB_URL: database.url } }),
    );
    const scenarios = SCENARIOS.filter(({ name }) => MEASURED.includes(name));
    const costs = await costsInRounds(starts, scenarios, { rounds, seconds, warmUpRequests });
    return ratiosTable(SUBJECTS, costs, scenarios);
  } finally {
    await database.stop();
  }
}

/** Starts a server on a database of its own, so that each one gives the same ids. */
async function startOnMongodb(name) {
  const database = await openPreparedMongodb();
  const { stop, ...server } = await startServer(name, { env: { MONGODB_URL: database.url } });
  return {
    ...server,
    async stop() {
      await stop();
      await database.stop();
    },
  };
}

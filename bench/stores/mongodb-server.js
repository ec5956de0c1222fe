/**
 * Runs a MongoDB server, one of those that the tests run on, until SIGTERM, and prints its URL: `node --import tsx
 * stores/mongodb-server.js`.
 */
import process from 'node:process';
import {
  prepareMongoJavaServer,
  startMongoJavaServer,
} from '../../test/support/mongo-java-server/mongo-java-server.ts';
import { prepareMongod, startMongod } from '../../test/support/mongod.ts';

const CANDIDATES = [
  { name: 'mongod', prepare: prepareMongod, start: startMongod },
  { name: 'mongo-java-server', prepare: prepareMongoJavaServer, start: startMongoJavaServer },
];

const { name, server } = await startFirst();
process.on('SIGTERM', () => {
  server.dispose().then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
console.log(`${server.url} ${name}`);

async function startFirst() {
  const tried = [];
  for (const { name, prepare, start } of CANDIDATES) {
    try {
      await prepare();
      return { name, server: await start() };
    } catch (error) {
      tried.push(`${name}: ${error.message.split('\n')[0]}`);
    }
  }
  throw new Error(`there is no MongoDB server (${tried.join('; ')}); set MONGODB_TEST_URL to one`);
}

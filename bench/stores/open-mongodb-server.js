import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CLIENT_CORE } from '../cores.js';
import { startScript } from '../server-process.js';

const MONGODB_SERVER = fileURLToPath(new URL('./mongodb-server.js', import.meta.url));
const DISTANT_SERVER = fileURLToPath(new URL('./distant-server.js', import.meta.url));
const START_TIMEOUT_MS = 120_000;

/** The server of `MONGODB_TEST_URL`, or one of those that the tests run on. */
export async function openMongodbServer() {
  const given = process.env['MONGODB_TEST_URL'];
  if (given) return { url: given, name: 'MONGODB_TEST_URL', stop: async () => undefined };
  const { line, stop } = await startScript(['--import', 'tsx', MONGODB_SERVER], CLIENT_CORE, {}, START_TIMEOUT_MS);
  const [url, name] = line.split(' ');
  return { url, name, stop };
}

/** The same server, with a time of so many milliseconds for a round trip to it. It must be on this machine. */
export async function openDistantMongodbServer(roundTripMs) {
  const server = await openMongodbServer();
  const args = ['--import', 'tsx', DISTANT_SERVER, server.url, String(roundTripMs)];
  const { line: url, stop } = await startScript(args, CLIENT_CORE);
  return {
    url,
    name: server.name,
    async stop() {
      await stop();
      await server.stop();
    },
  };
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ANIMALS, ANIMALS_ON_DATABASES, KEYS } from './animals.js';
import { sendLoad } from './load.js';
import { fillDatabase } from './mongodb.js';
import { makeSchema } from './postgres.js';
import { startProcess } from './processes.js';
import { FILLING } from './scenarios.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The core of the servers that are measured. What sends the requests runs on another one, by the scheduler's choice. */
const SERVER_CORE = 0;

/**
 * A server that is measured: what the tables call it, and what starts it with its animals.
 *
 * @typedef {{ port: number, pid: number, stop(): Promise<void> }} Server
 * @typedef {{ title: string, start(): Promise<Server> }} Subject
 */

/** The servers on animals in memory. @param {string} [base] The folder of another build. @returns {readonly Subject[]} */
export function subjectsInMemory(base) {
  return [
    { title: 'Animal Store', start: async () => filled(await serve(ROOT, ['--store', 'memory'])) },
    ...(base === undefined
      ? []
      : [{ title: base, start: async () => filled(await serve(base, ['--store', 'memory'])) }]),
    { title: 'Fastify 5, same responses', start: async () => filled(await serverOf('fastify')) },
    { title: 'node:http', start: async () => filled(await serverOf('bare')) },
  ];
}

/**
 * The servers on MongoDB, each with a database of its own, which it gets anew.
 *
 * @param {string} url Of the MongoDB server.
 * @param {string} [base]
 * @returns {readonly Subject[]}
 */
export function subjectsOnMongodb(url, base) {
  const ours = (folder, name) => async () =>
    serve(folder, ['--store', 'mongodb', '--mongodb-deadline', '60000'], {
      MONGODB_URL: await fillDatabase(url, name, ANIMALS_ON_DATABASES),
    });
  const fastify = async () =>
    serverOf('fastify-mongodb', { MONGODB_URL: await fillDatabase(url, 'bench-fastify', ANIMALS_ON_DATABASES) });
  return [
    { title: 'Animal Store', start: ours(ROOT, 'bench-ours') },
    ...(base === undefined ? [] : [{ title: base, start: ours(base, 'bench-base') }]),
    { title: 'Fastify 5 with the driver', start: fastify },
  ];
}

/**
 * The servers on PostgreSQL, each with a schema of its own, which it gets anew.
 *
 * @param {string} url Of the PostgreSQL server.
 * @param {string} [base]
 * @returns {readonly Subject[]}
 */
export function subjectsOnPostgres(url, base) {
  const ours = (folder, name) => async () => {
    const POSTGRES_URL = await makeSchema(url, name);
    return filled(await serve(folder, ['--store', 'postgres'], { POSTGRES_URL }), ANIMALS_ON_DATABASES);
  };
  const fastify = async () => {
    const POSTGRES_URL = await makeSchema(url, 'bench_fastify');
    return filled(await serverOf('fastify-postgres', { POSTGRES_URL }), ANIMALS_ON_DATABASES);
  };
  return [
    { title: 'Animal Store', start: ours(ROOT, 'bench_ours') },
    ...(base === undefined ? [] : [{ title: base, start: ours(base, 'bench_base') }]),
    { title: 'Fastify 5 with the driver', start: fastify },
  ];
}

/** `animal-store serve` of a build, without a log. */
async function serve(folder, args, env) {
  const cli = join(folder, 'dist/src/bootstrap/cli.js');
  const { pid, found, stop } = await startProcess([cli, 'serve', '--port', '0', '--log-level', 'silent', ...args], {
    pattern: / listens on http:\/\/127\.0\.0\.1:(\d+)/,
    env: { API_KEYS: KEYS.map((key, i) => `client-${i}:${key}`).join(','), ...env },
    core: SERVER_CORE,
  });
  return { pid, port: Number(found), stop };
}

async function serverOf(name, env) {
  const file = fileURLToPath(new URL(`servers/${name}.js`, import.meta.url));
  const { pid, found, stop } = await startProcess([file], { pattern: /^(\d+)$/, env, core: SERVER_CORE });
  return { pid, port: Number(found), stop };
}

/** Adds the animals one after the other, so that each has the same id in every server. */
async function filled(server, count = ANIMALS) {
  await sendLoad(server.port, FILLING, { connections: 1, count });
  return server;
}

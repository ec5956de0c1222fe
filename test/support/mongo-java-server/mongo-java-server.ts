import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Child, ROOT, type Environment } from '../child.js';
import { makeOnce } from '../make-once.js';
import type { ControllableServer } from '../mongodb-server.js';
import { pauseProcess } from '../pause-process.js';

/** The version in `pom.xml`. */
export const MONGO_JAVA_SERVER_VERSION = '1.47.0';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const JARS = join(ROOT, '.cache', `mongo-java-server-${MONGO_JAVA_SERVER_VERSION}-compiled`);
const run = promisify(execFile);

/**
 * Checks that Java is there and, on the first run, has Maven fetch the jars into `.cache` and compiles `Server.java`
 * beside them. Rejects if one of these fails.
 */
export async function prepareMongoJavaServer(): Promise<void> {
  const { stderr } = await run('java', ['-version']);
  if (Number(/version "(\d+)/.exec(stderr)?.[1]) < 17) throw new Error('java is older than 17');
  await makeOnce(JARS, async (jars) => {
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
    await run('mvn', ['-B', '-q', '-f', join(HERE, 'pom.xml'), plugin, `-DoutputDirectory=${jars}`], {
      timeout: 120_000,
    });
    const classPath = (await readdir(jars)).map((jar) => join(jars, jar)).join(delimiter);
    const compiler = ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-cp', classPath, '-d', jars];
    await run('java', [...compiler, join(HERE, 'Server.java')]);
  });
}

/** Starts one on a free loopback port, with its data in a temporary file. It runs until it is disposed of. */
export async function startMongoJavaServer(): Promise<ControllableServer> {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-mongo-java-server-'));
  const first = await launch(0, folder);
  const { port } = first;
  let { child } = first;
  const stop = async (): Promise<void> => {
    child.kill('SIGCONT');
    await child.stop();
  };
  return {
    port,
    // It has no topologyVersion: ADR 11 explains why such a server needs this option.
    url: `mongodb://127.0.0.1:${port}/?minHeartbeatFrequencyMS=1500`,
    stop,
    async start() {
      ({ child } = await launch(port, folder));
    },
    pause: async () => pauseProcess(child),
    resume: () => child.kill('SIGCONT'),
    async dispose() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * What Java is started with. A thread carries out one command after another for all of its connections, and by default there
 * are two threads a processor: on a busy machine, tests then waited for seconds behind a long command of other tests.
 */
const JAVA_OPTIONS = [
  '-Xmx256m',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Dio.netty.eventLoopThreads=32',
  ...['-cp', `${JARS}${delimiter}${join(JARS, '*')}`],
];

async function launch(port: number, folder: string): Promise<{ child: Child; port: number }> {
  const child = Child.start('java', [...JAVA_OPTIONS, 'Server', String(port), join(folder, 'data')], {
    env: process.env as Environment,
    // The server ends when its input does: even if this process is killed.
    stdin: 'pipe',
    outlivesTest: true,
  });
  const line = await child.find(() => /^\d+\n/.exec(child.stdout)?.[0]);
  return { child, port: Number(line) };
}

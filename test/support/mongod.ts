import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ControllableServer } from './mongodb-server.js';
import { pauseProcess } from './pause-process.js';

/**
 * Looks for a real `mongod`: `MONGOMS_SYSTEM_BINARY`, one on the PATH, or the download of mongodb-memory-server. Rejects
 * if none is available.
 */
export async function prepareMongod(): Promise<void> {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'mongod'));
  const found = onPath.find(isExecutable);
  if (found !== undefined) process.env['MONGOMS_SYSTEM_BINARY'] ??= found;
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] ??= 'false';
  const { MongoBinary } = await import('mongodb-memory-server');
  await MongoBinary.getPath();
}

/** Starts one as a replica set of one on a free loopback port, with its data in a temporary folder. */
export async function startMongod(): Promise<ControllableServer> {
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  let isStopped = false;
  const replicaSet = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } });
  const instance = (): { port: number; process: ChildProcess } => {
    const info = replicaSet.servers[0]?.instanceInfo;
    if (info?.instance.mongodProcess === undefined) throw new Error('mongod does not run');
    return { port: info.port, process: info.instance.mongodProcess };
  };
  const { port } = instance();
  return {
    port,
    url: `mongodb://127.0.0.1:${port}/?replicaSet=testset`,
    async stop() {
      isStopped = true;
      await replicaSet.stop({ doCleanup: false });
    },
    async start() {
      await replicaSet.start();
      isStopped = false;
    },
    pause: async () => pauseProcess(instance().process),
    resume: () => instance().process.kill('SIGCONT'),
    async dispose() {
      if (!isStopped) instance().process.kill('SIGCONT');
      await replicaSet.stop({ doCleanup: true, force: true });
    },
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import { createApp } from '../../src/adapters/http/koa/create-app.js';
import type { ResponseLog } from '../../src/adapters/http/pipeline/response-log.js';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { Child, ROOT, type ChildOptions } from '../support/child.js';
import { inMemory } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { makeOnce } from '../support/make-once.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** The folder of the tools: its lock file pins those of npm, and `requirements.txt` those of Python. */
export const TOOLS = join(ROOT, 'test/tools');

/** It installs the packages of Python in a seventh of the CPU time that pip takes. */
const UV = 'uv==0.13.8';

const execute = promisify(execFile);

/** The folder with the packages of `requirements.txt`, for `PYTHONPATH`. They are installed first unless they are there. */
export async function installPython(): Promise<string> {
  const requirements = join(TOOLS, 'requirements.txt');
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const packages = join(ROOT, '.cache', `tools-python-${hash.slice(0, 12)}`);
  const uv = join(ROOT, '.cache', UV);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check'];
  await makeOnce(uv, async (folder) => execute('python3', [...pip, '--target', folder, UV]));
  const args = ['pip', 'install', '--quiet', '--no-deps', '--python', 'python3', '-r', requirements];
  await makeOnce(packages, async (folder) => execute(join(uv, 'bin/uv'), [...args, '--target', folder]));
  return packages;
}

/** Runs a program, which must end with exit code 0. Returns both of its outputs. */
export async function succeed(program: string, args: readonly string[], options: ChildOptions = {}): Promise<string> {
  const env = { REDOCLY_TELEMETRY: 'off', NO_COLOR: '1', ...options.env };
  const child = Child.start(program, args, { ...options, env });
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${program} ended with ${code}\n${child.stdout}\n${child.stderr}`);
  return child.stdout + child.stderr;
}

/** As {@link succeed}, for a program of npm. */
export async function succeedNpm(name: string, args: readonly string[]): Promise<string> {
  return succeed(join(TOOLS, 'node_modules/.bin', name), args);
}

/** As {@link succeed}, for a program or a script of Python, with the packages of `requirements.txt`. */
export async function succeedPython(
  name: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<string> {
  const packages = await installPython();
  const script = name.endsWith('.py') ? join(TOOLS, name) : join(packages, 'bin', name);
  const path = [packages, options.cwd].filter(Boolean).join(':');
  const env = { PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' };
  return succeed('python3', [script, ...args], { ...options, env });
}

/** A file that holds the OpenAPI document until the test ends. */
export async function documentFile(): Promise<string> {
  const response = await createFetchHandler(inMemory())(new Request('http://127.0.0.1/openapi.json'));
  const file = join(makeTemporaryFolder(), 'openapi.json');
  writeFileSync(file, await response.text());
  return file;
}

/** A running service. */
export interface RunningService {
  /** Where its operations are, without a slash at the end. */
  readonly url: string;
  /** The requests that it has answered so far. */
  readonly answered: readonly ResponseLog[];
}

/** Starts a service on an empty store, with the key of {@link inMemory}. It ends with the test. */
export async function startService(): Promise<RunningService> {
  const answered: ResponseLog[] = [];
  const app = createApp(inMemory({ onResponse: (request) => answered.push(request) }));
  const port = await listenOnFreePort(createHttpServer(app.callback()));
  return { url: `http://127.0.0.1:${port}/v1`, answered };
}

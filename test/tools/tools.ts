import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
import { createApp } from '../../src/adapters/http/koa/create-app.js';
import type { ResponseLog } from '../../src/adapters/http/pipeline/response-log.js';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { CLI, DEPENDENCIES, makeProject, succeed } from '../package/project.js';
import { Child, ROOT, type ChildOptions } from '../support/child.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installPython, TOOLS } from './install.js';

/** The API key of the services that these tests start. */
export const KEY = 'a-key-of-more-than-16';

/** How a tool ended, and what it printed on both outputs. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** The path of a program of npm. */
export function npmProgram(name: string): string {
  return join(TOOLS, 'node_modules/.bin', name);
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  const env = { REDOCLY_TELEMETRY: 'off', NO_COLOR: '1', SCARF_ANALYTICS: 'false', ...options.env };
  const child = Child.start(program, args, { ...options, env });
  const { code } = await child.exited;
  return { code, output: child.stdout + child.stderr };
}

/** Runs Python to its end, with the packages of `requirements.txt`. */
export async function runPython(args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  const env = { PYTHONPATH: await installPython(), PYTHONDONTWRITEBYTECODE: '1', ...options.env };
  return run('python3', args, { ...options, env });
}

/** A program of those packages, as arguments of Python. */
export async function pythonProgram(name: string): Promise<string> {
  return join(await installPython(), 'bin', name);
}

/** The OpenAPI document that a service serves, and a file that holds it until the test ends. */
export async function readDocument(): Promise<{ readonly file: string; readonly text: string }> {
  const answer = await createFetchHandler(emptyStore())(new Request('http://127.0.0.1/openapi.json'));
  const text = await answer.text();
  return { file: fileOf('openapi.json', text), text };
}

/** Prints the OpenAPI document by the command of the packed package. */
export function printDocument(): string {
  return succeed(makeProject(DEPENDENCIES), process.execPath, [CLI, 'openapi']);
}

/** A file of this name in a folder of its own, until the test ends. */
export function fileOf(name: string, text: string): string {
  const file = join(makeTemporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** A running service. */
export interface RunningService {
  /** Where its operations are, without a slash at the end. */
  readonly url: string;
  /** The requests that it has answered so far. */
  readonly answered: readonly ResponseLog[];
}

/** Starts a service on an empty store, with {@link KEY} as its key. It ends with the test. */
export async function startService(): Promise<RunningService> {
  const answered: ResponseLog[] = [];
  const app = createApp({ ...emptyStore(), onResponse: (request) => answered.push(request) });
  const port = await listenOnFreePort(createHttpServer(app.callback()));
  return { url: `http://127.0.0.1:${port}/v1`, answered };
}

function emptyStore(): Pick<HttpInterfaceOptions, 'store' | 'apiKeys'> {
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  return { store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]) };
}

export { ROOT, TOOLS };

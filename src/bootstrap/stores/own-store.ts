import { ContainerModule } from 'inversify';
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../adapters/http/pipeline/log.js';
import type { StoreAccess } from './store-access.js';

/** What the function of a store's module is given. */
export interface StorageContext {
  /** The environment variables, from which the store reads its settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** How the command uses the store: whether it may create what is missing, and whether it may write. */
  readonly access: StoreAccess;
}

/**
 * Loads the module that a package or a file exports by default, or that a function there returns. A path is relative to the working
 * directory. The module may come from another copy of Inversify, so it is recognised by its shape.
 */
export async function loadOwnStore(
  name: string,
  known: readonly string[],
  context: StorageContext,
): Promise<ContainerModule> {
  const { default: exported } = (await import(await urlOf(name, known))) as { readonly default?: unknown };
  // TypeScript's `export default`, compiled to CommonJS, arrives as `{ default }`.
  const store = isRecord(exported) && exported['__esModule'] === true ? exported['default'] : exported;
  const made: unknown =
    typeof store === 'function' ? await (store as (context: StorageContext) => unknown)(context) : store;
  if (isRecord(made) && typeof made['load'] === 'function') {
    const module = made as Pick<ContainerModule, 'load'> & typeof made;
    return new ContainerModule(async (options) => module.load(options));
  }
  throw new TypeError('its default export must be an Inversify ContainerModule, or a function that returns one');
}

async function urlOf(name: string, known: readonly string[]): Promise<string> {
  const path = resolve(name);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (/^\.{1,2}[\\/]/.test(name) || isAbsolute(name)) {
    if (!isFile) throw new Error(`there is no file ${path}`);
    return pathToFileURL(path).href;
  }
  const { resolve: resolveUrl } = await import('import-meta-resolve');
  // As a file of the working directory would import it.
  const importer = resolve('importer.js');
  try {
    return resolveUrl(name, pathToFileURL(importer).href);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    error.message = error.message.replace(` imported from ${importer}`, '');
    if (error.message.startsWith('Cannot find package')) {
      error.message += isFile ? `; the file is ./${name}` : `; the stores of this package are ${known.join(', ')}`;
    }
    throw error;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

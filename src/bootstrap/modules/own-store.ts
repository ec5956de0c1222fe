import { ContainerModule } from 'inversify';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../adapters/http/pipeline/log.js';

/** The context in which the module of a store is made. */
export interface StorageContext {
  /** The environment variables, from which the store reads its settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/**
 * Loads the module that a package or a file exports by default: an Inversify `ContainerModule`, or a function that returns one or a
 * promise of one. It may come from another copy of Inversify, so it is recognised by its shape.
 *
 * Rejects if there is none, and as the package or file does.
 *
 * @param name A package's name or a file's path, from the working directory.
 */
export async function loadOwnStore(name: string, context: StorageContext): Promise<ContainerModule> {
  const { default: exported } = (await import(await urlOf(name))) as { readonly default?: unknown };
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

async function urlOf(name: string): Promise<string> {
  if (/^\.{1,2}[\\/]/.test(name) || isAbsolute(name)) return pathToFileURL(resolve(name)).href;
  const { resolve: resolveUrl } = await import('import-meta-resolve');
  // As a file of the working directory would import it.
  return resolveUrl(name, pathToFileURL(resolve('importer.js')).href);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

import { ContainerModule } from 'inversify';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggestion } from '../settings/suggestion.js';
import { BUILT_IN_STORES, isFilePath, type StorageContext } from './built-in-stores.js';

/** A name that is more likely a file than a package. */
const FILE_NAME = /\.[cm]?[jt]s$/;

/** Packages are resolved as if a file of this name in the working directory imported them. */
const IMPORTER = 'animal-store-importer.js';
/** More than the size of a store that is bundled into one file with all its imports. */
const FILE_MAX_MIB = 64;
const IMPORTED_FROM_HERE = /,? imported from \S*(?:animal-store-importer\.js|custom-store\.[jt]s)$/;

/** A custom store cannot be used. The message continues a sentence that begins with the name of the store. */
export class CustomStoreError extends Error {}

/**
 * Loads a custom store: the module that a package or a file exports by default. It is an Inversify `ContainerModule`, or a
 * function that returns one or a promise of one.
 *
 * The module may come from another copy of Inversify, so it is recognised by its shape.
 *
 * @param name A package's name or a file's path, relative to the working directory.
 * @throws CustomStoreError
 */
export async function loadCustomStore(name: string, context: StorageContext): Promise<ContainerModule> {
  const url = await urlOf(name);
  const exported = await inTermsOfStore('cannot be loaded', async () => defaultExportOf(url));
  const make = async (): Promise<unknown> => (exported as (context: StorageContext) => unknown)(context);
  const made = typeof exported === 'function' ? await inTermsOfStore('cannot be set up', make) : exported;
  if (isModule(made)) return new ContainerModule(async (options) => made.load(options));
  throw new CustomStoreError(
    typeof exported === 'function'
      ? 'exports a function by default that does not return an Inversify ContainerModule'
      : 'does not export an Inversify ContainerModule, or a function that returns one, by default',
  );
}

/**
 * The same result. Rejects with a `CustomStoreError` that says what could not be done, and why: the first line of the error's message.
 *
 * @param hint Ends the message.
 */
export async function inTermsOfStore<T>(problem: string, act: () => Promise<T>, hint = ''): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new CustomStoreError(`${problem}: ${reasonOf(error)}${hint}`, { cause: error });
  }
}

async function urlOf(name: string): Promise<string> {
  if (isFilePath(name)) return pathToFileURL(resolve(name)).href;
  const find = async (): Promise<string> => urlOfPackage(name, resolve(IMPORTER));
  return inTermsOfStore('cannot be found from the working directory', find, hintFor(name));
}

/** The part of Yarn's Plug'n'Play API that is used here: https://yarnpkg.com/advanced/pnpapi */
interface PlugnPlay {
  resolveRequest(name: string, importer: string, options: { conditions: ReadonlySet<string> }): string | null;
}

/** The URL of the module that `import()` in a file would load. Under Yarn's Plug'n'Play, packages have no folders. */
async function urlOfPackage(name: string, importer: string): Promise<string> {
  if (process.versions['pnp'] === undefined) {
    const { resolve: resolveUrl } = await import('import-meta-resolve');
    return resolveUrl(name, pathToFileURL(importer).href);
  }
  const { resolveRequest } = createRequire(importer)('pnpapi') as PlugnPlay;
  const file = resolveRequest(name, importer, { conditions: new Set(['node', 'import', 'module-sync']) });
  if (file === null) throw new Error(`${name} is a module of Node's own`);
  return pathToFileURL(file).href;
}

/** A hint for a package that does not exist: the file of that name, or the built-in store with a similar name. */
function hintFor(name: string): string {
  if (FILE_NAME.test(name) || existsSync(resolve(name))) return `: did you mean ./${name}?`;
  return suggestion(
    name,
    BUILT_IN_STORES.map((store) => store.name),
  );
}

async function defaultExportOf(url: string): Promise<unknown> {
  const fault = faultOfFile(url);
  if (fault !== undefined) throw new Error(fault);
  const { default: exported } = (await import(url)) as { readonly default?: unknown };
  // TypeScript's `export default`, compiled to CommonJS, arrives as `{ default }`.
  return isRecord(exported) && exported['__esModule'] === true ? exported['default'] : exported;
}

/**
 * Why Node must not read the file of a URL: reading may never end, or the file may not fit into memory.
 *
 * Checks only the size, because a read may block forever. Files that a program generates on reading, such as those of /proc,
 * have size 0.
 */
function faultOfFile(url: string): string | undefined {
  // A loader may find a different file than the named one: `store.ts` for `store.js`.
  const stats = url.startsWith('file:') ? statSync(new URL(url), { throwIfNoEntry: false }) : undefined;
  if (stats === undefined || stats.isDirectory()) return undefined;
  if (!stats.isFile()) return 'it is neither a file nor a folder';
  if (stats.size === 0) return 'it is empty, or its size is unknown';
  return stats.size > FILE_MAX_MIB * 2 ** 20 ? `it is larger than ${FILE_MAX_MIB} MiB` : undefined;
}

/** Whether a value is a `ContainerModule` of Inversify 7 or newer. */
function isModule(value: unknown): value is Pick<ContainerModule, 'load'> {
  return isRecord(value) && typeof value['load'] === 'function';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The first line of an error's message. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error && !(error instanceof SyntaxError) ? error.message : String(error);
  return (text.split('\n', 1)[0] ?? '').replace(IMPORTED_FROM_HERE, '');
}

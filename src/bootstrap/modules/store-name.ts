import { isAbsolute } from 'node:path';
import { text } from '../settings/value-types.js';
import { BUILT_IN_STORES } from './built-in-stores.js';

/** The name of an npm package, optionally with the path of an entry point. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[A-Za-z0-9._~-]+)*$/;

/** The names of the built-in stores, for people. */
export const STORE_NAMES = BUILT_IN_STORES.map(({ name }) => name).join(', ');

/** The store of the animals and the keys: the name of a built-in store or of a package, or the path of a file. */
export const storeName = text(
  'store',
  `must be ${STORE_NAMES}, a package's name, or a file's path that begins with ./ or /`,
  (value) => isFilePath(value) || PACKAGE_NAME.test(value),
);

/** Whether a store is named by the path of a file. */
export function isFilePath(value: string): boolean {
  return /^\.{1,2}[\\/]/.test(value) || isAbsolute(value);
}

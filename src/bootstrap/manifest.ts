import { createRequire } from 'node:module';

/** What `package.json` says of this package: its version, and the ranges of the packages that users may install beside it. */
export const { version, peerDependencies } = createRequire(import.meta.url)('animal-store/package.json') as {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** Tests that `npm test` leaves out, because they install or build much. They are files and folders. */

/** Those that `npm run test:tools` runs. They use no shared fixtures. */
export const TOOLS = ['test/tools/'];

/**
 * Those that `npm run test:runtimes` runs on the Node that runs it: other runtimes and the browser, what is built from a clone,
 * and programs that the package runs in.
 */
export const RUNTIMES = [
  'test/http/reference.test.ts',
  'test/http/reference-accessibility.test.ts',
  'test/http/runtimes.test.ts',
  'test/adapters/remote/runtimes.test.ts',
  'test/runtimes/',
  'test/deploy/image.test.ts',
  'test/package/compilers.test.ts',
  'test/package/first-command.test.ts',
  'test/package/frameworks.test.ts',
  'test/package/runners.test.ts',
  'test/package/tracing.test.ts',
];

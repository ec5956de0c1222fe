#!/usr/bin/env node
import { run } from './commands/run.js';
import { ConfigError } from './settings/config-error.js';

// Ignore write errors (closed pipe, full disk): there is nowhere left to report them, and the server goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

run({ args: process.argv.slice(2), env: process.env }).catch((error: unknown) => {
  process.exitCode = error instanceof ConfigError ? 2 : 1;
  process.stderr.write(`animal-store: ${error instanceof Error ? error.message : String(error)}\n`);
});

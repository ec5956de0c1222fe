#!/usr/bin/env node
import { ConfigError } from './read-settings.js';
import { serve } from './serve-command.js';
import { usage } from './usage.js';
import { version } from './version.js';

async function run([command = '', ...args]: readonly string[]): Promise<void> {
  if (command === '--version') process.stdout.write(`${version}\n`);
  else if ([command, ...args].some((arg) => arg === '--help' || arg === '-h')) process.stdout.write(usage());
  else if (command === 'serve') await serve(args, process.env);
  else if (command === 'keys') await (await import('./keys-command.js')).keys(args, process.env);
  else
    throw new ConfigError([
      command === '' ? 'a command is needed: see --help' : 'the first argument is not a command: see --help',
    ]);
}

// Whoever reads an output may leave, and a disk may be full: there is nowhere to tell, and the service goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

run(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = error instanceof ConfigError ? 2 : 1;
  process.stderr.write(`animal-store: ${error instanceof Error ? error.message : String(error)}\n`);
});

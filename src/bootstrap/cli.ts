#!/usr/bin/env node
import { run } from './commands/run.js';
import { ConfigError } from './settings/config-error.js';
import { listenToWarnings } from './log/warnings.js';

/** Causes may be circular. */
const CAUSES_MAX = 20;

// A failed write is reported to its callback. Without a listener, the event would end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

listenToWarnings((warning, print) => print(warning));

run(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = error instanceof ConfigError ? 2 : 1;
  process.stderr.write(`animal-store: ${printable(messageOf(error))}\n`);
});

function messageOf(error: unknown): string {
  let cause = error;
  for (let i = 0; i < CAUSES_MAX && cause instanceof Error && cause.cause !== undefined; i++) cause = cause.cause;
  const [message, reason] = [textOf(error), textOf(cause)];
  return message.includes(reason) ? message : `${message}: ${reason}`;
}

/** Node's error for several failed connections has only a code. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code, name }: NodeJS.ErrnoException = error;
  return message || (code ?? name);
}

/** A terminal may execute control characters, and parts of the text come from arguments and files. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  });
}

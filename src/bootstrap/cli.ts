#!/usr/bin/env node
import { InterruptedError } from './commands/interruption.js';
import { run } from './commands/run.js';
import { ConfigError } from './settings/config-error.js';

/** How many causes of an error are followed, because causes may be circular. */
const CAUSES_MAX = 20;

// Ignore write errors (closed pipe, full disk): there is nowhere left to report them, and the server goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

run({ args: process.argv.slice(2), env: process.env }).catch((error: unknown) => {
  process.exitCode = exitCodeOf(error);
  process.stderr.write(`animal-store: ${printable(messageOf(error))}\n`);
});

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return 2;
  return error instanceof InterruptedError ? error.exitCode : 1;
}

/** Returns the message of an error and, on a second line, that of its root cause, unless the first contains it. */
function messageOf(error: unknown): string {
  let cause = error;
  for (let i = 0; i < CAUSES_MAX && cause instanceof Error && cause.cause !== undefined; i++) cause = cause.cause;
  const [message, reason] = [textOf(error), textOf(cause)];
  return message.includes(reason) ? message : `${message}\n  cause: ${reason}`;
}

/** Returns the message of an error. Node's error for several failed connections has only a code. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code, name }: NodeJS.ErrnoException = error;
  return message || (code ?? name);
}

/** Escapes the control characters of a text for a terminal, except line feeds. Parts of it come from arguments and files. */
function printable(text: string): string {
  return text.replaceAll(/(?!\n)\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  });
}

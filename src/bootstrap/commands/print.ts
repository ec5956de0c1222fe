/** Writes a line, or several, to the standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

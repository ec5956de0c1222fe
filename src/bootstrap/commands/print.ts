/** Rejects if the disk is full or the pipe is closed. */
export async function print(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (cause) => {
      if (cause) reject(new Error('the standard output cannot be written', { cause }));
      else resolve();
    });
  });
}

export function pluralize(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

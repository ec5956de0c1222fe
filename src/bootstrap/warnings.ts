/** Passes the warnings of Node to a listener alone: all but that of node:sqlite, which Node 22 and 24 call experimental. */
export function listenToWarnings(listener: (warning: Error) => void): void {
  // Node prints warnings with its own listener.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning' || !warning.message.includes('SQLite')) listener(warning);
  });
}

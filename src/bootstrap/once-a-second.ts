/** How long a result is shared, in milliseconds. */
const SHARED_FOR_MS = 1000;

/**
 * Returns a function that never runs `run` concurrently. Calls during a run, and for a second after it, share its result. A
 * rejection is shared only by the calls during the run.
 */
export function onceASecond<T>(run: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined;
  const forget = (): void => (latest = undefined);
  return async () => {
    if (latest === undefined) {
      latest = run();
      latest.then(() => setTimeout(forget, SHARED_FOR_MS).unref(), forget);
    }
    return latest;
  };
}

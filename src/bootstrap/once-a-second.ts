const SHARED_FOR_MS = 1000;

/** Calls during a run, and for a second after it, share its result. A rejection is shared only by the calls during the run. */
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

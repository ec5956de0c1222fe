type Listener<T> = (value: T) => void;

/** One function that calls all given functions in order; `undefined` if there are none. */
export function allOf<T>(...listeners: readonly (Listener<T> | undefined)[]): Listener<T> | undefined {
  const all = listeners.filter((listener) => listener !== undefined);
  if (all.length <= 1) return all[0];
  return (value) => {
    for (const listener of all) listener(value);
  };
}

type Listener<T> = (value: T) => void;

/** One function that calls each of those that are given, in their order; `undefined` if none is. */
export function allOf<T>(...listeners: readonly (Listener<T> | undefined)[]): Listener<T> | undefined {
  const [first, ...others] = listeners.filter((listener) => listener !== undefined);
  if (first === undefined || others.length === 0) return first;
  return (value) => {
    for (const listener of [first, ...others]) listener(value);
  };
}

/** A method of a port, which a sound adapter has. */
export type Method<Port, Name extends keyof Port> = Extract<Port[Name], (...args: never[]) => unknown>;

/** Methods in place of those of a port. They may return anything. */
export type Methods<Port> = {
  readonly [Name in keyof Port]?: ((...args: Parameters<Method<Port, Name>>) => unknown) | undefined;
};

/** A sound adapter, except for the given methods. */
export function except<Port extends object>(sound: Port, methods: Methods<Port>): Port {
  return new Proxy(sound, {
    get(_target, name) {
      const method: unknown = Reflect.get(name in methods ? methods : sound, name);
      return typeof method === 'function' ? method.bind(sound) : method;
    },
  });
}

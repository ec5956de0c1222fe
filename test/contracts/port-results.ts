import assert from 'node:assert/strict';
import { inspect } from 'node:util';

/** What a method of a port gives. */
export interface MethodResult {
  /** The end of a sentence such as `find must resolve to …`. */
  readonly must: `resolve to ${string}` | `return ${string}`;
  /** Whether a value has the shape that the checks rely on. They check the rest. */
  readonly isRight: (value: unknown) => boolean;
  readonly isOptional?: boolean;
}

/** What each method of a port gives. */
export type PortResults<Port> = { readonly [Method in keyof Port]-?: MethodResult };

/** The adapters that were passed to {@link watched}, by what it returned. */
const originals = new WeakMap<object, object>();

/**
 * The same adapter, whose methods reject with an `AssertionError` that says what they must give, if they give something else.
 *
 * @param source The option that made the adapter.
 */
export function watched<Port extends object>(port: Port, results: PortResults<Port>, source: string): Port {
  assert.ok(isObject(port), `${source} must resolve to an adapter, and resolved to ${inspect(port)}`);
  const methods = Object.entries<MethodResult>(results).flatMap(([name, result]) => {
    const method: unknown = Reflect.get(port, name);
    if (method === undefined && result.isOptional === true) return [];
    assert.ok(typeof method === 'function', `the adapter of ${source} has no method ${name}`);
    const checked = (value: unknown): unknown => {
      assert.ok(result.isRight(value), `${name} must ${result.must}, and gave ${inspect(value)}`);
      return value;
    };
    const call = (...args: readonly unknown[]): unknown => {
      const returned: unknown = Reflect.apply(method, port, args);
      const isAwaited = result.must.startsWith('resolve') && isPromise(returned);
      return isAwaited ? returned.then(checked) : checked(returned);
    };
    return [[name, call]];
  });
  const watching = Object.fromEntries(methods) as Port;
  originals.set(watching, port);
  return watching;
}

/** The adapter itself, which the functions of its author get. */
export function originalOf<Port extends object>(port: Port): Port {
  return (originals.get(port) ?? port) as Port;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return isObject(value) && typeof value['then'] === 'function';
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

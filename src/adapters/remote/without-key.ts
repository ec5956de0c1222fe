/** How many causes of causes are kept: more than any `fetch` gives, and an end for errors that are their own cause. */
const MAX_DEPTH = 8;

/**
 * A copy of an error of `fetch` with its name, message, stack, code and causes alone, in which the API key is left out. Other
 * members may hold the request, or what was received: a broken service may have sent the key back.
 *
 * @param error What was thrown, maybe no error.
 */
export function withoutKey(error: unknown, apiKey: string, depth = 0): Error {
  const clean = (text: string): string => text.replaceAll(apiKey, '[API key]');
  if (!(error instanceof Error) || depth === MAX_DEPTH) return new Error(clean(String(error)));
  const { name, message, stack, cause } = error;
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
  const options = cause === undefined ? undefined : { cause: withoutKey(cause, apiKey, depth + 1) };
  const copy = new Error(clean(message), options);
  const more = {
    name: clean(name),
    ...(stack !== undefined && { stack: clean(stack) }),
    ...(typeof code === 'string' && { code: clean(code) }),
    // An `AggregateError` has one for each address that was tried.
    ...(Array.isArray(errors) && { errors: errors.map((one) => withoutKey(one, apiKey, MAX_DEPTH)) }),
  };
  for (const [member, value] of Object.entries(more)) {
    Object.defineProperty(copy, member, { value, enumerable: member === 'code', configurable: true, writable: true });
  }
  return copy;
}

export const REPEATED = Symbol('repeated');

/** For a field that must occur once. @param name In lower case. */
export function fieldOf(rawHeaders: readonly string[], name: string): string | typeof REPEATED | undefined {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isNamed(rawHeaders[i] as string, name)) continue;
    if (value !== undefined) return REPEATED;
    value = rawHeaders[i + 1];
  }
  return value;
}

/** A list may be spread over several fields (RFC 9110, section 5.3). Empty if there is none. @param name In lower case. */
export function listField(rawHeaders: readonly string[], name: string): string {
  return rawHeaders.filter((_, i) => i % 2 === 1 && isNamed(rawHeaders[i - 1] as string, name)).join(', ');
}

function isNamed(field: string, name: string): boolean {
  return field.length === name.length && field.toLowerCase() === name;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export function requestIdOf(rawHeaders: readonly string[]): string {
  const own = fieldOf(rawHeaders, 'x-request-id');
  return typeof own === 'string' && REQUEST_ID.test(own) ? own : crypto.randomUUID();
}

import type { ApiKeys } from '../../domain/api-keys.js';
import { errorAnswer, type Operation } from './answer.js';
import { fieldValues } from './request.js';

const CREDENTIALS = /^bearer +(\S.*)$/i;
const CHALLENGE = 'Bearer realm="animal-store"';

const NO_KEY = errorAnswer('unauthorized', 'Authorization must be "Bearer", a space, and an API key, given once', {
  'WWW-Authenticate': CHALLENGE,
});
const INVALID_KEY = errorAnswer('unauthorized', 'Authorization holds an API key that is not valid', {
  'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"`,
});

/**
 * The operation, for those who present a valid API key as their bearer token (RFC 6750, section 2.1). All others get the
 * challenge of section 3 there, with `error="invalid_token"` only where a key was presented.
 */
export function authenticated(apiKeys: ApiKeys, operation: Operation): Operation {
  return async (ctx) => {
    const key = presentedKey(ctx.req.rawHeaders);
    if (key === undefined) return NO_KEY;
    const principal = await apiKeys.verify(key);
    if (principal === undefined) return INVALID_KEY;
    ctx.state.principal = principal;
    return operation(ctx);
  };
}

function presentedKey(rawHeaders: readonly string[]): string | undefined {
  const [credentials = '', second] = fieldValues(rawHeaders, 'authorization');
  return second === undefined ? CREDENTIALS.exec(credentials)?.[1] : undefined;
}

import type { IncomingMessage } from 'node:http';
import type { ApiKeys, Principal } from '../../domain/api-keys.js';
import type { Operation } from './answer.js';
import { HttpError } from './errors.js';
import { fieldValues } from './request.js';

const CHALLENGE = 'Bearer realm="animal-store"';
const CREDENTIALS = /^bearer +(\S.*)$/i;

/** The operation, for those who present a valid API key only. */
export function authenticated(apiKeys: ApiKeys, operation: Operation): Operation {
  return async (ctx) => {
    ctx.state.principal = await authenticate(ctx.req, apiKeys);
    return operation(ctx);
  };
}

/**
 * Authenticates a request by its bearer token (RFC 6750, section 2.1).
 *
 * @throws HttpError `unauthorized`, with the challenge of RFC 6750, section 3: `error="invalid_token"` only where a key
 * was presented.
 */
async function authenticate(request: IncomingMessage, apiKeys: ApiKeys): Promise<Principal> {
  const key = presentedKey(request.rawHeaders);
  if (key === undefined) {
    throw new HttpError('unauthorized', 'Authorization must be "Bearer", a space, and an API key, given once', {
      'WWW-Authenticate': CHALLENGE,
    });
  }
  const principal = await apiKeys.verify(key);
  if (principal === undefined) {
    throw new HttpError('unauthorized', 'Authorization holds an API key that is not valid', {
      'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"`,
    });
  }
  return principal;
}

function presentedKey(rawHeaders: readonly string[]): string | undefined {
  const [credentials = '', second] = fieldValues(rawHeaders, 'authorization');
  return second === undefined ? CREDENTIALS.exec(credentials)?.[1] : undefined;
}

import type { ApiKeys } from '../../../domain/api-keys/api-keys.js';
import { errorAnswer } from '../answer.js';
import { ERRORS } from '../errors.js';
import type { Guard } from '../operation.js';
import { onlyFieldValue } from '../request.js';

const CREDENTIALS = /^bearer +(\S.*)$/i;
const CHALLENGE = 'Bearer realm="animal-store"';

const NO_KEY = errorAnswer('unauthorized', ERRORS.unauthorized.message, ['WWW-Authenticate', CHALLENGE]);
const INVALID_KEY = errorAnswer('unauthorized', 'Authorization holds an API key that is not valid', [
  'WWW-Authenticate',
  `${CHALLENGE}, error="invalid_token"`,
]);

/**
 * Lets a request pass only if it has a valid API key as its bearer token (RFC 6750, section 2.1), and sets its principal.
 * Otherwise answers 401 with the challenge of section 3, which contains `error="invalid_token"` only if the request has a key.
 */
export function authenticate(apiKeys: ApiKeys): Guard {
  return async (context) => {
    const credentials = onlyFieldValue(context.request.rawHeaders, 'authorization');
    const key = CREDENTIALS.exec(credentials ?? '')?.[1];
    if (key === undefined) return NO_KEY;
    const principal = await apiKeys.verify(key);
    if (principal === undefined) return INVALID_KEY;
    context.principal = principal;
    return undefined;
  };
}

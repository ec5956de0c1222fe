import type { ApiKeys } from '../../../domain/api-keys/api-keys.js';
import { ERRORS, HttpError } from './errors.js';
import { fieldOf } from './header-fields.js';
import type { Guard } from './operation.js';

const CREDENTIALS = /^bearer +(\S.*)$/i;
const CHALLENGE = 'Bearer realm="animal-store"';

const MISSING = unauthorized(ERRORS.unauthorized.message);
const MALFORMED = unauthorized('Authorization must be "Bearer", a space, and an API key, given once');
const INVALID = unauthorized('Authorization holds an API key that is not valid', `${CHALLENGE}, error="invalid_token"`);

function unauthorized(message: string, challenge = CHALLENGE): HttpError {
  return new HttpError('unauthorized', message, ['WWW-Authenticate', challenge]);
}

/** Bearer tokens by RFC 6750: the credentials of section 2.1, the challenge of section 3. */
export function authenticate(apiKeys: ApiKeys): Guard {
  return async (context) => {
    const credentials = fieldOf(context.request.rawHeaders, 'authorization');
    if (credentials === undefined) throw MISSING;
    const key = typeof credentials === 'string' ? CREDENTIALS.exec(credentials)?.[1] : undefined;
    if (key === undefined) throw MALFORMED;
    context.principal = await apiKeys.verify(key);
    if (context.principal === undefined) throw INVALID;
  };
}

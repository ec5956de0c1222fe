/** The bodies of the errors that the peers answer with: the members and codes of Animal Store's contract. */

export const NO_KEY = errorBody('unauthorized', 'Authorization must be "Bearer", a space, and an API key', 401);
export const INVALID_KEY = errorBody('unauthorized', 'Authorization holds an API key that is not valid', 401);
export const NO_SUCH_ANIMAL = errorBody('pet_not_found', 'no animal has this id', 404);
export const NO_SUCH_ROUTE = errorBody('route_not_found', 'no such route', 404);

export function invalidParameter(message) {
  return errorBody('invalid_parameter', message, 400);
}

export function invalidBody(message) {
  return errorBody('invalid_body', message, 400);
}

function errorBody(code, message, status) {
  return { code, message, status };
}

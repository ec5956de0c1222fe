const STATUSES = ['available', 'pending', 'sold'];

/** What is wrong with the body of a creation, checked by hand; `undefined` if nothing is. */
export function faultOfNewPet(body) {
  if (typeof body !== 'object' || body === null) return 'the body must be a JSON object';
  const { name, categoryId, status } = body;
  if (typeof name !== 'string' || name.trim() === '' || name.length > 1024)
    return 'name must have 1 to 1024 characters';
  if (!Number.isInteger(categoryId)) return 'categoryId must be an integer';
  if (status !== undefined && !STATUSES.includes(status)) return `status must be one of ${STATUSES.join(', ')}`;
  return undefined;
}

import { closestMatch } from 'leven';

/**
 * `: did you mean …?` with the known name nearest to an unknown one, or nothing if none is near.
 *
 * @param prefix Stands before the name in the text, and does not count for how near it is.
 */
export function suggestion(unknown: string, known: readonly string[], prefix = ''): string {
  const nearest = closestMatch(unknown, known, { maxDistance: Math.ceil(unknown.length / 3) });
  return nearest === undefined ? '' : `: did you mean ${prefix}${nearest}?`;
}

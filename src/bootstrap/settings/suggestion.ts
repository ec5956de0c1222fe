import { closestMatch } from 'leven';

/**
 * `: did you mean …?` with the known name that is closest to an unknown one, or nothing if none is close.
 *
 * @param prefix The text before the name. It is ignored when names are compared.
 */
export function suggestion(unknown: string, known: readonly string[], prefix = ''): string {
  const nearest = closestMatch(unknown, known, { maxDistance: Math.ceil(unknown.length / 3) });
  return nearest === undefined ? '' : `: did you mean ${prefix}${nearest}?`;
}

import { stateOfApiKey, type ApiKey } from '../../domain/api-keys/api-key.js';
import { leadingColumns } from './table.js';

/** A time for people, in UTC: `2026-11-20 09:30:00 UTC`, or `never` if there is none. */
export function timeText(time: Date | undefined): string {
  if (time === undefined) return 'never';
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A table with a line for each key. Names come last, because they may be long. */
export function keysAsTable(keys: readonly ApiKey[], now: Date): string {
  const rows = keys.map((key) => [key.id, timeText(key.createdAt), stateText(key, now), key.name]);
  const table = [['ID', 'CREATED', 'STATE', 'NAME'], ...rows];
  const heads = leadingColumns(table);
  return table.map((row, i) => `${heads[i]}${row.at(-1)}`).join('\n');
}

/** A JSON array with an object for each key; `state` is `active`, `expired` or `revoked`, times are in ISO 8601. */
export function keysAsJson(keys: readonly ApiKey[], now: Date): string {
  const entries = keys.map((key) => {
    const { id, name, createdAt, expiresAt, revokedAt } = key;
    return { id, name, state: stateOfApiKey(key, now), createdAt, expiresAt, revokedAt };
  });
  return JSON.stringify(entries, null, 2);
}

function stateText(key: ApiKey, now: Date): string {
  const state = stateOfApiKey(key, now);
  const { revokedAt, expiresAt } = key;
  if (state === 'revoked') return `revoked ${timeText(revokedAt)}`;
  if (state === 'expired') return `expired ${timeText(expiresAt)}`;
  if (expiresAt === undefined) return state;
  return `${state} until ${timeText(expiresAt)} (${spanText(expiresAt.getTime() - now.getTime())} left)`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A duration in its largest whole unit: `89 days`. */
function spanText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => milliseconds >= length) ?? UNITS[3];
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.floor(milliseconds / size)));
}

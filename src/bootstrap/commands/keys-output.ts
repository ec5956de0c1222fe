import { stateOfApiKey, type ApiKey } from '../../domain/api-keys/api-key.js';

/** A time for people, in UTC: `2026-11-20 09:30:00 UTC`, or `never` if there is none. */
export function timeText(time: Date | undefined): string {
  if (time === undefined) return 'never';
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A table with a line for each key; names come last, as they may be long. */
export function keysAsTable(keys: readonly ApiKey[], now: Date): string {
  const rows = keys.map((key) => [key.id, timeText(key.createdAt), stateText(key, now), key.name]);
  const table = [['ID', 'CREATED', 'STATE', 'NAME'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n');
}

/** A JSON array with an object for each key; `state` is `in force`, `expired` or `revoked`, times are in ISO 8601. */
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

/** A span of time in its greatest whole unit: `89 days`. */
function spanText(milliseconds: number): string {
  const seconds = Math.max(1, Math.floor(milliseconds / 1000));
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

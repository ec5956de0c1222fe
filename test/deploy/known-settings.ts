import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SERVE_SETTINGS } from '../../src/bootstrap/settings/settings.js';
import { ROOT } from '../support/child.js';

/** A setting of `animal-store serve`: its flag with its dashes, its variable and its default, each empty if there is none. */
interface KnownSetting {
  readonly flag: string;
  readonly variable: string;
  readonly fallback: string;
}

export const SETTINGS: readonly KnownSetting[] = [
  ...Object.values(SERVE_SETTINGS).map(({ long = '', envVar = '', defaultValue, defaultValueDescription }) => ({
    flag: long,
    variable: envVar,
    fallback:
      defaultValueDescription === 'none'
        ? ''
        : (defaultValueDescription ?? (defaultValue === undefined ? '' : `${defaultValue as string | number}`)),
  })),
  ...['MONGODB_URL', 'POSTGRES_URL', 'API_KEYS'].map((variable) => ({ flag: '', variable, fallback: '' })),
  { flag: '--env-file', variable: '', fallback: '' },
];

/** Every environment variable of `animal-store serve`, with its default as text; empty if it has none. */
export const VARIABLES: ReadonlyMap<string, string> = new Map(
  SETTINGS.flatMap(({ variable, fallback }) => (variable === '' ? [] : [[variable, fallback]])),
);

/** Every flag of `animal-store serve`, with its dashes. */
export const FLAGS: readonly string[] = SETTINGS.flatMap(({ flag }) => (flag === '' ? [] : [flag]));

/** The text of a file of the folder `deploy`. */
export function deployFile(path: string): string {
  return readFileSync(join(ROOT, 'deploy', path), 'utf8');
}

/** The value of a YAML file of the folder `deploy`. Tests by schemas say which members it has. */
export function deployYaml(path: string) {
  return parse(deployFile(path), { merge: true });
}

/** Every value of a setting of the systemd unit, in order. */
export function unitSettings(name: string): readonly string[] {
  const unit = deployFile('systemd/animal-store.service');
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** The milliseconds of `10s`, or of a number without a unit. */
export function millisecondsOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)(s?)$/.exec(text) ?? [];
  if (count === '') throw new Error(`this test does not understand the time ${text}`);
  return Number(count) * (unit === 's' ? 1000 : 1);
}

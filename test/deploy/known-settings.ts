import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SERVE_SETTINGS } from '../../src/bootstrap/server-config.js';
import { commonSettings } from '../../src/bootstrap/settings/read-settings.js';
import { defaultText, type Setting } from '../../src/bootstrap/settings/setting.js';
import { ROOT } from '../support/child.js';

/** Every setting of `animal-store serve`. */
export const SETTINGS: readonly Setting<unknown>[] = Object.values({
  ...SERVE_SETTINGS,
  ...commonSettings(SERVE_SETTINGS),
});

/** Every environment variable of `animal-store serve`, with its default as text; empty if it has none. */
export const VARIABLES: ReadonlyMap<string, string> = new Map(
  SETTINGS.flatMap((each) => (each.variable === undefined ? [] : [[each.variable, defaultText(each)]])),
);

/** Every flag of `animal-store serve`, with its dashes. */
export const FLAGS: readonly string[] = SETTINGS.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`]));

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

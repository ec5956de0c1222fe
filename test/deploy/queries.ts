import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/child.js';
import { deployFile } from './known-settings.js';

/** An alert of Prometheus. */
export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

/** The alerts in `deploy`. */
export const RULES = (parse(deployFile('prometheus/rules.yaml')) as Rules).groups.flatMap(({ rules }) => rules);

/** The queries in the blocks `promql` of the operating guide. */
export const GRAPHS = [
  ...readFileSync(join(ROOT, 'docs/operating.md'), 'utf8').matchAll(/^```promql\n(.*?)^```$/gms),
].flatMap(([, block = '']) => block.split('\n').filter((line) => line !== ''));

import { cruise } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { ROOT } from '../support/child.js';

/** The imports below a folder that break a rule of `.dependency-cruiser.cjs`, and how many imports there are. */
export interface Cruise {
  /** One line each: `<rule>: <from> → <to>`. */
  readonly violations: readonly string[];
  readonly dependencies: number;
}

/** Checks the imports of some folders below `baseDir` by the repository's rules. */
export async function cruiseByTheRules(baseDir: string, folders: readonly string[]): Promise<Cruise> {
  const { forbidden = [], options = {} } = await extractDepcruiseConfig(`${ROOT}.dependency-cruiser.cjs`);
  const { output } = await cruise([...folders], { ...options, baseDir, validate: true, ruleSet: { forbidden } });
  if (typeof output === 'string') throw new TypeError('the cruise gave text where its result was asked for');
  return {
    violations: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    dependencies: output.summary.totalDependenciesCruised ?? 0,
  };
}

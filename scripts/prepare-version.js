/**
 * Prepares the version that `npm version` has written to package.json, which then commits and tags it: dates what CHANGELOG.md has under
 * "Unreleased", and sets the version of the image in deploy/kubernetes.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const IMAGES = ['deployment.yaml', 'export.yaml', 'sqlite/statefulset.yaml'];

function replace(file, pattern, text) {
  const before = readFileSync(file, 'utf8');
  if (!pattern.test(before)) throw new Error(`${file} has nothing that matches ${pattern.source}`);
  writeFileSync(file, before.replace(pattern, text));
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const date = new Date().toISOString().slice(0, 10);
replace('CHANGELOG.md', /^## Unreleased(?=\s+[^\s#])/m, `## Unreleased\n\n## ${version} (${date})`);
for (const name of IMAGES)
  replace(`deploy/kubernetes/${name}`, /animal-store:\d+\.\d+\.\d+/, `animal-store:${version}`);

/**
 * Prepares a release: `npm run release -- major|minor|patch [--dry-run]`.
 *
 * The first release has the version that package.json has already, whatever the argument.
 *
 * Checks that package.json has the address of the repository, or that the remote `origin` has it, which is then filled in.
 * Checks that the clone is clean and on main, that CHANGELOG.md says what is new, and that `npm test`, `npm run test:service`,
 * `npm run check` and `npm run test:tools` pass. Then sets the version, also that of the image in deploy/kubernetes, dates the changelog,
 * packs the package and lists what is inside, keeps the OpenAPI document for comparison with later ones, commits, and tags. Pushing the
 * tag has the workflow `release` publish the package with its provenance.
 *
 * `--dry-run` skips the tests, changes nothing, not even the build, and shows the list and the changes of the release.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addressOf, fillIn } from './repository-address.js';

const BUMPS = ['major', 'minor', 'patch'];
const MANIFESTS = ['deploy/kubernetes/deployment.yaml', 'deploy/kubernetes/sqlite/statefulset.yaml'];
const RELEASED = 'test/tools/released';
const [bump, flag] = process.argv.slice(2);
const isDryRun = flag === '--dry-run';

function fail(message) {
  console.error(`release: ${message}`);
  process.exit(1);
}

function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function show(command, ...args) {
  // With CI=true, a test that finds no server or browser fails instead of being skipped.
  execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, CI: 'true' } });
}

/** Packs the package into `.cache/release`. Returns npm's description of the archive. */
function pack() {
  mkdirSync('.cache/release', { recursive: true });
  return JSON.parse(run('npm', 'pack', '--json', '--pack-destination', '.cache/release'))[0];
}

/** As {@link pack}, but packs a copy of the tracked files, and keeps nothing of it. */
function packCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-release-'));
  try {
    const files = run('git', 'ls-files', '-z').split('\0').filter(existsSync);
    for (const file of files) cpSync(file, join(folder, file));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
    return JSON.parse(execFileSync('npm', ['pack', '--json', '--dry-run'], options))[0];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The version after this one: `1.2.3` and `minor` give `1.3.0`. */
function nextVersion(version) {
  const numbers = version.split('.').map(Number);
  const at = BUMPS.indexOf(bump);
  return numbers.map((number, i) => (i < at ? number : i === at ? number + 1 : 0)).join('.');
}

if (!BUMPS.includes(bump) || (flag !== undefined && !isDryRun)) fail('usage: release major|minor|patch [--dry-run]');
if (!isDryRun) {
  if (run('git', 'status', '--porcelain') !== '') fail('the clone has changes that are not committed');
  if (run('git', 'branch', '--show-current') !== 'main') fail('the clone is not on the branch main');
}

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, before, changes, after] = /^(.*?## Unreleased\n)(.*?)(?=^## |$(?![^]))(.*)$/ms.exec(changelog) ?? [];
if (changes === undefined || changes.trim() === '') fail('CHANGELOG.md has nothing under "Unreleased"');

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const remotes = run('git', 'remote').split('\n');
const address = remotes.includes('origin') ? addressOf(run('git', 'remote', 'get-url', 'origin')) : undefined;
if (!isDryRun && manifest.repository === undefined && address === undefined) {
  fail(
    'the address of the repository is not known: add the remote origin at github.com, or set repository, homepage and bugs in package.json, and the url of CONTACT in src/adapters/http/reference/openapi.ts',
  );
}
const isFirst = !/^## \d/m.test(after);
const version = isFirst ? manifest.version : nextVersion(manifest.version);
console.log(`animal-store ${manifest.version} → ${version}\n${changes}`);

if (!isDryRun) {
  show('npm', 'test');
  show('npm', 'run', 'test:service');
  show('npm', 'run', 'check');
  show('npm', 'run', 'test:tools');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', `${before}\n## ${version} (${date})\n${changes}${after}`);
  show('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  if (manifest.repository === undefined) fillIn(address);
  for (const file of MANIFESTS) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(`animal-store:${manifest.version}`, `animal-store:${version}`));
  }
}

const packed = isDryRun ? packCopy() : pack();
for (const { path, size } of packed.files) console.log(`${String(size).padStart(8)}  ${path}`);
console.log(
  `${packed.filename}: ${packed.files.length} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`,
);

if (!isDryRun) {
  writeFileSync(`${RELEASED}/openapi.json`, `${run('node', 'dist/src/bootstrap/cli.js', 'openapi')}\n`);
  writeFileSync(`${RELEASED}/deliberate-changes.json`, '{}\n');
  show('git', 'commit', '--all', '--message', `Release ${version}`);
  show('git', 'tag', '--annotate', `v${version}`, '--message', `animal-store ${version}`);
  console.log(`\nTo publish: git push --follow-tags origin main`);
}

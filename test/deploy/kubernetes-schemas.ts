import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/child.js';

/** The package of PyPI that holds the JSON schemas of Kubernetes. */
const PACKAGE = 'kubernetes-validate==1.37.0';
/** The oldest version with `preStop.sleep`, and the newest. */
export const VERSIONS = ['1.30.0', '1.37.0'];
const FOLDER = join(ROOT, '.cache', [PACKAGE.replace('==', '-'), ...VERSIONS].join('-of-'));

/** Extracts the files of some versions from the wheel in a folder. All of them would take four times the CPU time. */
const EXTRACT = `
import glob, sys, zipfile
folder, *versions = sys.argv[1:]
wheel = zipfile.ZipFile(glob.glob(folder + '/*.whl')[0])
wheel.extractall(folder, [name for name in wheel.namelist() if any(f'/v{each}-local-strict/' in name for each in versions)])
`;

/** A manifest; its kind says which schema it has to match. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Installs the schemas into `.cache`, unless they are there. */
export function installKubernetesSchemas(): void {
  if (existsSync(FOLDER)) return;
  const unfinished = `${FOLDER}-${process.pid}`;
  const run = (...args: readonly string[]) => execFileSync('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    run('-m', 'pip', 'download', '--quiet', '--no-deps', '--disable-pip-version-check', '--dest', unfinished, PACKAGE);
    run('-c', EXTRACT, unfinished, ...VERSIONS);
    if (!existsSync(FOLDER)) renameSync(unfinished, FOLDER);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The schemas of a version, each with the definitions that it refers to, which are read once. */
const versions = new Map<string, Ajv2020>();

/** The validator of a kind of manifest in a version. */
function validatorOf(name: string, version: string): ValidateFunction {
  const folder = join(FOLDER, `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`);
  const schema = (file: string): object => JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as object;
  const known = versions.get(version);
  const options = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
    logger: false,
  } as const;
  const ajv = known ?? new Ajv2020(options).addSchema(schema('_definitions'), '/api/_definitions.json');
  versions.set(version, ajv);
  if (ajv.schemas[name] === undefined) ajv.addSchema(schema(name), name);
  return ajv.getSchema(name) as ValidateFunction;
}

/** What is wrong with a manifest, by the schemas of one version of Kubernetes, which allow no member that they do not know. */
export function faultsOf(manifest: Manifest, version: string): readonly string[] {
  const [apiVersion = '', group = ''] = manifest.apiVersion.split('/').reverse();
  // `deployment-apps-v1` for `apps/v1` and `Deployment`.
  const name = [manifest.kind, group.replace(/\..*$/, ''), apiVersion].filter((part) => part !== '').join('-');
  const validate = validatorOf(name.toLowerCase(), version);
  if (validate(manifest)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

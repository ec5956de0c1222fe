import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/child.js';

/** The package of PyPI that holds the JSON schemas of Kubernetes. */
const PACKAGE = 'kubernetes-validate==1.37.0';
const FOLDER = join(ROOT, '.cache', PACKAGE.replace('==', '-'));

/** A manifest; its kind says which schema it has to match. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Installs the schemas into `.cache`, unless they are there. */
export function installKubernetesSchemas(): void {
  if (existsSync(FOLDER)) return;
  const unfinished = `${FOLDER}-${process.pid}`;
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--target', unfinished, PACKAGE];
  try {
    execFileSync('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (!existsSync(FOLDER)) renameSync(unfinished, FOLDER);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const validators = new Map<string, ValidateFunction>();

/** The validator of a kind of manifest in a version. */
function validatorOf(name: string, version: string): ValidateFunction {
  const known = validators.get(name + version);
  if (known !== undefined) return known;
  const folder = join(FOLDER, `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`);
  const schema = (file: string): object => JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  ajv.addSchema(schema('_definitions'), '/api/_definitions.json');
  const validate = ajv.compile(schema(name));
  validators.set(name + version, validate);
  return validate;
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

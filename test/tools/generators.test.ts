import { expect } from 'chai';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { installPackages } from '../support/install-packages.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installPython } from './install.js';
import {
  fileOf,
  KEY,
  npmProgram,
  printDocument,
  pythonProgram,
  ROOT,
  run,
  runPython,
  startService,
  TOOLS,
  type Outcome,
} from './tools.js';

/** Checks every generated file, too, and more strictly than `strict` alone. */
const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  noEmit: true,
  // The libraries of TypeScript itself hold nothing that is generated.
  skipDefaultLibCheck: true,
};

describe('clients made of the OpenAPI document, printed by the packed package,', function () {
  this.timeout(300_000);
  let document: string;

  before(() => {
    installPackages(TOOLS);
    document = fileOf('openapi.json', printDocument());
  });

  /** Checks that a tool succeeded, and prints what it said if not. */
  function expectSuccess({ code, output }: Outcome): void {
    expect(code, output).to.equal(0);
  }

  /** A project with the packages of the tools, for generated files. */
  function emptyProject(): string {
    const project = makeTemporaryFolder();
    symlinkSync(join(TOOLS, 'node_modules'), join(project, 'node_modules'));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    return project;
  }

  /** Such a project with a program of `clients`. */
  function projectOf(program: string): string {
    const project = emptyProject();
    cpSync(join(TOOLS, 'clients', program), join(project, program));
    return project;
  }

  /** Checks that a project compiles strictly. */
  async function expectToCompile(project: string): Promise<void> {
    expectSuccess(await run(npmProgram('tsc'), ['--project', project]));
  }

  /** Compiles a project, and runs its program on a service of its own. */
  async function expectToWork(project: string, program: string): Promise<void> {
    await expectToCompile(project);
    const { url } = await startService();
    const args = ['--import', import.meta.resolve('tsx'), join(project, program), url, KEY];
    expectSuccess(await run(process.execPath, args, { cwd: project }));
  }

  it('compile strictly and work, made by openapi-typescript for openapi-fetch', async () => {
    const project = projectOf('openapi-fetch.ts');
    expectSuccess(await run(npmProgram('openapi-typescript'), [document, '--output', join(project, 'schema.d.ts')]));
    await expectToWork(project, 'openapi-fetch.ts');
  });

  it('compile strictly and work, made by hey-api', async () => {
    const project = projectOf('hey-api.ts');
    const args = ['--input', document, '--output', join(project, 'client'), '--no-log-file'];
    expectSuccess(await run(npmProgram('openapi-ts'), args));
    const types = readFileSync(join(project, 'client/types.gen.ts'), 'utf8');
    expect(types).not.to.match(/: unknown/);
    await expectToWork(project, 'hey-api.ts');
  });

  it('compile strictly with the schemas that the zod plugin of hey-api makes', async () => {
    const project = emptyProject();
    // The plugin writes for Zod 4, which the package of Zod 3 has under this path.
    const paths = { zod: [join(TOOLS, 'node_modules/zod/v4/index.d.ts')] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, paths } }));
    const args = ['--input', document, '--output', join(project, 'client'), '--no-log-file', '--plugins', 'zod'];
    expectSuccess(await run(npmProgram('openapi-ts'), args));
    expect(readFileSync(join(project, 'client/zod.gen.ts'), 'utf8')).to.include('.regex(/');
    await expectToCompile(project);
  });

  it('compile strictly, made by openapi-zod-client', async () => {
    const project = emptyProject();
    const client = join(project, 'client.ts');
    expectSuccess(await run(npmProgram('openapi-zod-client'), [document, '--output', client]));
    expect(readFileSync(client, 'utf8')).to.include('.regex(/');
    await expectToCompile(project);
  });

  it('keep every digit and survive an unknown code of an error, made by openapi-python-client', async function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
    await installPython();
    const project = makeTemporaryFolder();
    const config = fileOf('config.json', '{"post_hooks":[]}');
    const args = ['generate', '--path', document, '--meta', 'none', '--output-path', join(project, 'client')];
    const generator = await pythonProgram('openapi-python-client');
    expectSuccess(await runPython([generator, ...args, '--config', config, '--fail-on-warning'], { cwd: project }));

    const other = createServer((_request, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end('{"code":"not_known_yet","message":"of a later version","status":400}');
    });
    const otherUrl = `http://127.0.0.1:${await listenOnFreePort(other)}`;
    const { url } = await startService();
    const program = join(TOOLS, 'clients/python_client.py');
    const path = `${await installPython()}:${project}`;
    expectSuccess(await runPython(['-W', 'error', program, url, otherUrl, KEY], { env: { PYTHONPATH: path } }));
  });
});

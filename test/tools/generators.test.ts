import { expect } from 'chai';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { installPackages } from '../support/install-packages.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installGo, installPython } from './install.js';
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
  // No declaration file is generated.
  skipLibCheck: true,
};

/** A generator of clients in TypeScript. */
interface Generator {
  readonly program: string;
  /** The arguments that make it read the document, and write into the folder of a project. */
  readonly args: (document: string, folder: string) => readonly string[];
  /** The program of `clients` that uses what it generates, if one does. */
  readonly client?: string;
  readonly compilerOptions?: object;
}

const intoFolder = (document: string, folder: string): readonly string[] => [
  ...['--input', document, '--output', join(folder, 'client'), '--no-log-file'],
];

const GENERATORS = {
  'openapi-typescript, for openapi-fetch': {
    program: 'openapi-typescript',
    args: (document, folder) => [document, '--output', join(folder, 'schema.ts')],
    client: 'openapi-fetch.ts',
  },
  'hey-api': { program: 'openapi-ts', args: intoFolder, client: 'hey-api.ts' },
  'the zod plugin of hey-api': {
    program: 'openapi-ts',
    args: (document, folder) => [...intoFolder(document, folder), '--plugins', 'zod'],
    // The plugin writes for Zod 4, which the package of Zod 3 has under this path.
    compilerOptions: { paths: { zod: [join(TOOLS, 'node_modules/zod/v4/index.d.ts')] } },
  },
  'openapi-zod-client': {
    program: 'openapi-zod-client',
    args: (document, folder) => [document, '--output', join(folder, 'client.ts')],
  },
} satisfies Readonly<Record<string, Generator>>;

describe('clients made of the OpenAPI document, printed by the packed package,', function () {
  this.timeout(300_000);
  let document: string;
  /** The project of each generator. */
  const folders = new Map<string, string>();
  /** What the compiler says of all of them. */
  let compiled: Outcome;

  // One run of the compiler, which reads the types of the packages once.
  before(async () => {
    await installPackages(TOOLS);
    document = fileOf('openapi.json', printDocument());
    for (const [name, generator] of Object.entries<Generator>(GENERATORS)) {
      const folder = emptyProject(generator.compilerOptions);
      folders.set(name, folder);
      if (generator.client !== undefined)
        cpSync(join(TOOLS, 'clients', generator.client), join(folder, generator.client));
      expectSuccess(await run(npmProgram(generator.program), generator.args(document, folder)));
    }
    compiled = await run(npmProgram('tsc'), ['--build', ...folders.values()]);
  });

  /** Checks that a tool succeeded, and prints what it said if not. */
  function expectSuccess({ code, output }: Outcome): void {
    expect(code, output).to.equal(0);
  }

  /** A project with the packages of the tools, for generated files. */
  function emptyProject(options: object = {}): string {
    const project = makeTemporaryFolder();
    symlinkSync(join(TOOLS, 'node_modules'), join(project, 'node_modules'));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    const tsconfig = { compilerOptions: { ...COMPILER_OPTIONS, ...options } };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
    return project;
  }

  function generatedBy(name: keyof typeof GENERATORS, file: string): string {
    return readFileSync(join(folders.get(name) ?? '', file), 'utf8');
  }

  it('compile strictly', () => expectSuccess(compiled));

  for (const [name, { client }] of Object.entries<Generator>(GENERATORS)) {
    if (client === undefined) continue;
    it(`work, made by ${name}`, async () => {
      const { url } = await startService();
      const cwd = folders.get(name) ?? '';
      expectSuccess(await run(process.execPath, ['--import', import.meta.resolve('tsx'), client, url, KEY], { cwd }));
    });
  }

  it('are made by oapi-codegen, which reads JSON by go-yaml', async function () {
    needs(this, 'go', ['version']);
    const args = ['-generate', 'types,client,spec', '-package', 'x', document];
    expectSuccess(await run(await installGo('oapi-codegen'), args));
  });

  it('have a type for each member, made by hey-api', () => {
    expect(generatedBy('hey-api', 'client/types.gen.ts')).not.to.match(/: unknown/);
  });

  it('have the pattern of a name, made by the zod plugin of hey-api and by openapi-zod-client', () => {
    expect(generatedBy('the zod plugin of hey-api', 'client/zod.gen.ts')).to.include('.regex(/');
    expect(generatedBy('openapi-zod-client', 'client.ts')).to.include('.regex(/');
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

import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { needs } from '../support/needs.js';
import { ROOT } from '../support/child.js';
import { KEY } from '../support/in-memory-interface.js';
import { installPackages } from '../support/install-packages.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { documentFile, startService, succeed, succeedNpm, succeedPython, TOOLS } from './tools.js';

/** Checks every generated file, too, and more strictly than `strict` alone. */
const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  noEmit: true,
};

describe('clients made of the OpenAPI document', function () {
  this.timeout(300_000);

  it('compile strictly and work, made by openapi-typescript for openapi-fetch', async () => {
    await installPackages(TOOLS);
    const cwd = makeTemporaryFolder();
    symlinkSync(join(TOOLS, 'node_modules'), join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    cpSync(join(TOOLS, 'clients/openapi-fetch.ts'), join(cwd, 'main.ts'));
    await succeedNpm('openapi-typescript', [await documentFile(), '--output', join(cwd, 'schema.ts')]);
    await succeedNpm('tsc', ['--project', cwd]);
    const { url } = await startService();
    await succeed(process.execPath, ['--import', import.meta.resolve('tsx'), 'main.ts', url, KEY], { cwd });
  });

  it('keep every digit and survive an unknown code of an error, made by openapi-python-client', async function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
    const cwd = makeTemporaryFolder();
    writeFileSync(join(cwd, 'config.json'), '{"post_hooks":[]}');
    const args = ['--meta', 'none', '--output-path', 'client', '--config', 'config.json', '--fail-on-warning'];
    await succeedPython('openapi-python-client', ['generate', '--path', await documentFile(), ...args], { cwd });

    const other = createServer((_request, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end('{"code":"not_known_yet","message":"of a later version","status":400}');
    });
    const otherUrl = `http://127.0.0.1:${await listenOnFreePort(other)}`;
    const { url } = await startService();
    await succeedPython('clients/python_client.py', [url, otherUrl, KEY], { cwd });
  });
});

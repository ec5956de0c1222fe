import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Child, type Environment } from '../support/child.js';
import { listening } from '../support/command.js';
import { request } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { OPTIONAL_PACKAGES } from '../package/project.js';
import { copy, DOCKERFILE, execForm, imageVariables, isInContext, onlyInstruction, STAGES } from './dockerfile.js';
import { VARIABLES } from './known-settings.js';
import { needs } from './needs.js';
import { pidInSandbox, runInSandbox } from './sandbox.js';

/** The version of a package that is installed in a folder. */
function versionIn(folder: string, name: string): string {
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** What the last stage may contain. What it does not know, these tests would not try. */
const TRIED = ['WORKDIR', 'COPY', 'ENV', 'EXPOSE', 'USER', 'VOLUME', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];
/** The step that installs the packages of development too. */
const INSTALL_ALL = /^npm ci(?!.*--omit)[\w -]*$/;

describe('the Dockerfile', () => {
  it('is valid', () => {
    expect(validate(DOCKERFILE)).to.deep.equal([]);
  });

  it('sets variables that the command knows', () => {
    expect([...VARIABLES.keys()]).to.include.members(Object.keys(imageVariables()));
  });

  it('does not run as root, and says so by a number', () => {
    expect(onlyInstruction('USER').text).to.match(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('has a volume for the file of the store sqlite', () => {
    const { SQLITE_FILE } = imageVariables();
    expect(SQLITE_FILE?.startsWith(`${onlyInstruction('VOLUME').text}/`)).to.equal(true);
  });

  it('sees no secrets, no history and no packages of the machine that builds', () => {
    for (const path of [
      '.env',
      'deploy/.env',
      '.git/config',
      'node_modules/koa/package.json',
      'dist/src/index.js',
      '.npmrc',
    ]) {
      expect(isInContext(path), path).to.equal(false);
    }
  });

  it('has no step that these tests do not run', () => {
    for (const [name, instructions] of STAGES) {
      const tried = name === 'image' ? TRIED : ['WORKDIR', 'COPY', 'RUN'];
      expect(tried).to.include.members(instructions.map(({ keyword }) => keyword));
    }
  });

  describe('built in an empty folder', () => {
    const folders = new Map<string, string>();
    let app: string;

    before(async function () {
      needs(this, 'bwrap', ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', 'true']);
      const scratch = makeTemporaryFolder();
      const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
      for (const [name, instructions] of STAGES) {
        app = mkdtempSync(join(scratch, `${name}-`));
        folders.set(name, app);
        let packages: string | undefined;
        for (const instruction of instructions) {
          const { keyword, text } = instruction;
          if (keyword === 'COPY') copy(instruction, app, folders);
          // Installing every package takes a quarter of a minute, and this repository has just installed the same ones.
          else if (keyword === 'RUN' && INSTALL_ALL.test(text)) packages = join(ROOT, 'node_modules');
          else if (keyword === 'RUN') await build(text, { cache, packages });
        }
      }
    });

    async function build(script: string, { cache, packages }: { cache: string; packages?: string | undefined }) {
      const env = { ...(process.env as Environment), npm_config_cache: cache, npm_config_prefer_offline: 'true' };
      const options = { app, isLockedDown: false, env, packages, writable: cache };
      const sandbox = runInSandbox(['sh', '-c', script], options);
      const { code } = await sandbox.exited;
      if (code !== 0) throw new Error(`RUN ${script} ended with ${code}\n${sandbox.stdout}\n${sandbox.stderr}`);
    }

    /** Starts a program as the image does: process 1, not root, on a read-only file system. */
    function run(args: readonly string[], env: Environment = {}): Child {
      return runInSandbox(args, { app, isLockedDown: true, env: { ...imageVariables(), ...env } });
    }

    function start(env: Environment = {}): Child {
      return run([...execForm(onlyInstruction('ENTRYPOINT')), ...execForm(onlyInstruction('CMD'))], {
        PORT: '0',
        ...env,
      });
    }

    it('contains only the compiled code and the packages for run time', () => {
      expect(readdirSync(app)).to.have.members(['dist', 'node_modules', 'package.json']);
      for (const name of ['koa', ...OPTIONAL_PACKAGES])
        expect(versionIn(app, name), name).to.equal(versionIn(ROOT, name));
      for (const name of ['typescript', 'mocha', 'swagger-ui-dist']) {
        expect(existsSync(join(app, 'node_modules', name)), name).to.equal(false);
      }
    });

    it('serves on every interface, without a file that it can write', async () => {
      const server = start();
      const { url, port } = await listening(server);
      expect(url).to.equal(`http://[::]:${port}/v1`);
      expect((await request(port, 'GET', '/docs')).status).to.equal(200);
      expect((await request(port, 'GET', '/v1/pets')).status).to.equal(401);
    });

    it('runs other commands', async () => {
      const help = run([...execForm(onlyInstruction('ENTRYPOINT')), 'help', 'keys']);
      expect(await help.exited).to.deep.equal({ code: 0, signal: null });
      expect(help.stdout).to.include('Usage: animal-store keys');
    });

    it('is healthy while it serves, and unhealthy when nothing listens', async () => {
      const server = start();
      const { port } = await listening(server);
      const check = execForm(onlyInstruction('HEALTHCHECK'));
      const whileItServes = await run(check, { PORT: String(port) }).exited;
      process.kill(await pidInSandbox(server), 'SIGTERM');
      await server.exited;
      const afterwards = await run(check, { PORT: String(port) }).exited;
      expect([whileItServes.code, afterwards.code]).to.deep.equal([0, 1]);
    });

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`ends in good order by ${signal}, although Node is process 1`, async () => {
        const server = start();
        await listening(server);
        process.kill(await pidInSandbox(server), signal);
        expect((await server.exited).code).to.equal(0);
        expect(server.stderr).to.include('shut down');
      });
    }
  });
});

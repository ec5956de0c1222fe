import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OPTIONAL_PACKAGES, succeed } from '../package/project.js';
import { Child, ROOT, type Environment } from '../support/child.js';
import { listening } from '../support/command.js';
import { needs } from '../support/needs.js';
import { request } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { DOCKERFILE, imageVariables, STAGES, textOf, wordsOf, type Instruction } from './dockerfile.js';
import { VARIABLES } from './known-settings.js';

/** The instructions that only say how the image runs. What is not known here, these tests would not try. */
const OF_THE_RUN = ['WORKDIR', 'ENV', 'EXPOSE', 'USER', 'VOLUME', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];
/** The step that installs the packages of development too. */
const INSTALL_ALL = /^npm ci(?!.*--omit)/;

/** What the build sees, by `Dockerfile.dockerignore`: nothing but the paths with an exclamation mark. */
function makeContext(): string {
  const context = makeTemporaryFolder();
  const lines = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
  const [first, ...others] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).to.equal('*');
  for (const line of others) {
    if (line.startsWith('!')) cpSync(join(ROOT, line.slice(1)), join(context, line.slice(1)), { recursive: true });
    else rmSync(join(context, line), { recursive: true });
  }
  return context;
}

/** Builds each stage in a folder, which stands for its `/app`. Returns that of the image. */
function build(): string {
  const context = makeContext();
  const scratch = makeTemporaryFolder();
  const folders = new Map<string, string>();
  const run = (app: string, { keyword, text, from }: Instruction): void => {
    if (keyword === 'COPY') {
      const [target = '', ...paths] = text.split(/ +/).reverse();
      for (const path of paths) {
        const source = from === undefined ? join(context, path) : path.replace('/app', folders.get(from) ?? '');
        const isFolder = statSync(source).isDirectory();
        const copy = join(app, target, isFolder ? '' : basename(path));
        cpSync(source, copy, { recursive: true, verbatimSymlinks: true });
      }
    } else if (keyword === 'RUN' && INSTALL_ALL.test(text)) {
      // Installing every package takes a quarter of a minute, and this repository has just installed the same ones.
      symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'));
    } else if (keyword === 'RUN') succeed(app, 'sh', ['-c', text], { npm_config_prefer_offline: 'true' });
    else if (!OF_THE_RUN.includes(keyword)) throw new Error(`these tests do not know ${keyword}`);
  };
  for (const [name, instructions] of STAGES) {
    const app = mkdtempSync(join(scratch, `${name}-`));
    folders.set(name, app);
    for (const instruction of instructions) run(app, instruction);
  }
  return folders.get('image') ?? '';
}

describe('the Dockerfile', () => {
  it('is valid', () => {
    expect(validate(DOCKERFILE)).to.deep.equal([]);
  });

  it('sets variables that the command knows, the file of the store sqlite in its volume', () => {
    expect([...VARIABLES.keys()]).to.include.members(Object.keys(imageVariables()));
    expect(dirname(imageVariables()['SQLITE_FILE'] ?? '')).to.equal(textOf('VOLUME'));
  });

  describe('built in an empty folder', function () {
    this.timeout(600_000);
    let app: string;

    before(function () {
      needs(this, 'bwrap', ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', 'true']);
      app = build();
    });

    /**
     * Runs a program by bubblewrap as the image does: process 1, not root, on a read-only file system, where it sees the programs of
     * this machine, Node and `/app`. It shares the network.
     */
    function run(words: readonly string[], env: Environment = {}): Child {
      const [uid = '', gid = ''] = textOf('USER').split(':');
      const node = dirname(dirname(process.execPath));
      const folders = ['/usr', '/etc', '/bin', '/lib', '/lib64', '/run/systemd/resolve', node];
      const flags = [
        ...folders.flatMap((path) => ['--ro-bind-try', path, path]),
        ...['--proc', '/proc', '--dev', '/dev', '--ro-bind', app, '/app', '--chdir', '/app', '--remount-ro', '/'],
        ...['--as-pid-1', '--unshare-pid', '--unshare-user', '--uid', uid, '--gid', gid, '--die-with-parent'],
        ...['--json-status-fd', '3', '--clearenv', '--setenv', 'PATH', `${dirname(process.execPath)}:/usr/bin:/bin`],
        ...Object.entries({ ...imageVariables(), ...env }).flatMap(([name, value]) => ['--setenv', name, value]),
      ];
      // bubblewrap keeps the descriptor of its status from the program, so that has to be another one than standard error.
      return Child.start('sh', ['-c', 'exec bwrap "$@" 3>&2', 'sh', ...flags, '--', ...words]);
    }

    const start = (): Child => run([...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')], { PORT: '0' });

    async function terminate(server: Child): Promise<number | null> {
      const pid = await server.find(() => /"child-pid": (\d+)/.exec(server.stderr)?.[1]);
      process.kill(Number(pid), 'SIGTERM');
      return (await server.exited).code;
    }

    it('contains only the compiled code and the packages for run time', () => {
      expect(readdirSync(app)).to.have.members(['dist', 'node_modules', 'package.json']);
      expect(readdirSync(join(app, 'node_modules')))
        .to.include.members(['koa', ...OPTIONAL_PACKAGES])
        .and.not.include.oneOf(['typescript', 'mocha', 'swagger-ui-dist']);
    });

    it('serves on every interface, without a file that it can write', async () => {
      const { url, port } = await listening(start());
      expect(url).to.equal(`http://[::]:${port}/v1`);
      expect((await request(port, 'GET', '/docs')).status).to.equal(200);
      expect((await request(port, 'GET', '/v1/pets')).status).to.equal(401);
    });

    it('is healthy while it serves, and unhealthy when nothing listens', async () => {
      const server = start();
      const { port } = await listening(server);
      const check = async () => (await run(wordsOf('HEALTHCHECK'), { PORT: String(port) }).exited).code;
      const whileItServes = await check();
      await terminate(server);
      expect([whileItServes, await check()]).to.deep.equal([0, 1]);
    });

    it('ends in good order by SIGTERM, although Node is process 1', async () => {
      const server = start();
      await listening(server);
      expect(await terminate(server)).to.equal(0);
      expect(server.stderr).to.include('shut down');
    });
  });
});

import { expect } from 'chai';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Child } from '../support/child.js';
import { installPackages } from '../support/install-packages.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { send } from '../support/request.js';
import { useMongodb } from '../support/use-mongodb.js';
import {
  CHECK_JSDOC,
  ALL_PACKAGES,
  linkDependenciesOf,
  makeProjectOf,
  MANIFEST,
  ROOT,
  run,
  succeed,
  write,
} from './project.js';

const EXAMPLE = 'examples/tracing';
const KEY = 'a-key-of-more-than-16';

describe('the example tracing', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  let project: string;

  before(async () => {
    await installPackages(join(ROOT, EXAMPLE));
    project = makeProjectOf(EXAMPLE, [...ALL_PACKAGES, '@types/node']);
    linkDependenciesOf(EXAMPLE, project);
  });

  it('shows a request, its call of MongoDB and its line of the log in one trace', () => {
    const env = { MONGODB_URL: mongodb.createDatabaseUrl() };
    const args = ['--import', './in-memory-tracing.js', '--test-reporter=tap', 'tracing.test.js'];
    const tap = succeed(project, process.execPath, args, env);
    expect(Number(/^# pass (\d+)$/m.exec(tap)?.[1])).to.equal(4);
    expect(tap).to.match(/^# fail 0$/m);
  });

  it('sends the traces of the command to a collector, the last ones when the command ends', async () => {
    const paths: (string | undefined)[] = [];
    const collector = createServer((request, response) => {
      paths.push(request.url);
      request.resume().once('end', () => response.end());
    });
    const port = await listenOnFreePort(collector);
    const cli = join(project, 'node_modules/animal-store', MANIFEST.bin['animal-store'] ?? '');
    const command = Child.start(process.execPath, ['--import', './tracing.js', cli, 'serve', '--port', '0'], {
      cwd: project,
      env: { API_KEYS: `anna:${KEY}`, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    });
    const url = await command.find(() => /listens on (\S+)\n/.exec(command.stdout)?.[1]);
    await send(`${url}/pets`, { key: KEY });
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
    // A batch may leave before the end, too, if the machine is busy.
    expect([...new Set(paths)]).to.deep.equal(['/v1/traces']);
  });

  it('is well typed, by its JSDoc', () => {
    write(project, 'tsconfig.json', JSON.stringify({ compilerOptions: CHECK_JSDOC, include: ['*.js'] }));
    expect(run(project, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')]).stdout).to.equal('');
  });
});

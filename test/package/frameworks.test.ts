import { expect } from 'chai';
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.js';
import { DEPENDENCIES, linkDependenciesOf, makeProjectOf, ROOT, succeed } from './project.js';

const EXAMPLE = 'examples/frameworks';

describe('the example frameworks', function () {
  this.timeout(600_000);

  it('serves animals from Express, Fastify, Hono and NestJS', async () => {
    await installPackages(join(ROOT, EXAMPLE));
    const project = makeProjectOf(EXAMPLE, DEPENDENCIES);
    linkDependenciesOf(EXAMPLE, project);
    const tap = succeed(project, process.execPath, ['--test', '--test-reporter=tap']);
    for (const framework of ['Express', 'Fastify', 'Hono', 'NestJS']) expect(tap).to.include(`# Subtest: ${framework}`);
    expect(Number(/^# pass (\d+)$/m.exec(tap)?.[1])).to.be.at.least(53);
    expect(tap).to.match(/^# fail 0$/m);
  });
});

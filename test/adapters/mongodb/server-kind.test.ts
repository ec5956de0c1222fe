import { expect } from 'chai';
import { isMongodBuild } from '../../support/mongodb-server.js';

const GIT_VERSION = '7d9c7b9922555c1c8b64fe1ac596f4c1efb570ce';

describe('the server of the tests', () => {
  it('counts as mongod if it reports the commit that it was built from', () => {
    expect(isMongodBuild({ version: '7.0.14', gitVersion: GIT_VERSION, modules: [] })).to.equal(true);
  });

  it('does not count as mongod if it is FerretDB', () => {
    const common = { version: '7.0.42', gitVersion: GIT_VERSION, sysInfo: 'deprecated' };
    expect(isMongodBuild({ ...common, ferretdbVersion: 'v1.24.0', ferretdbFeatures: {} })).to.equal(false);
    expect(isMongodBuild({ ...common, ferretdb: { version: 'v2.0.0' } })).to.equal(false);
  });

  it('does not count as mongod if it is mongo-java-server', () => {
    expect(isMongodBuild({ version: '5.0.0', bits: '32', maxBsonObjectSize: 16_777_216 })).to.equal(false);
  });
});

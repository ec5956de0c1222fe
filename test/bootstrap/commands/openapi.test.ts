import { expect } from 'chai';
import { parse } from 'yaml';
import { outcomeOf, startCommand } from '../../support/command.js';
import { send } from '../../support/request.js';
import { errorsOf } from '../outcome.js';

const ADDRESSES = ['--base-url=https://api.example.com/shop/v1', '--staging-base-url=https://staging.example.com/v1'];

describe('animal-store openapi', function () {
  this.timeout(60_000);

  /** What the command prints, which must be on standard output alone, with exit code 0. */
  const printed = async (...flags: string[]): Promise<string> => {
    const { code, stdout, stderr } = await outcomeOf(['openapi', ...flags]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    return stdout;
  };

  for (const flags of [[], ADDRESSES]) {
    it(`prints the document that the server serves with ${flags.join(' ') || 'no flags'}`, async () => {
      const command = await startCommand(flags);
      const { json } = await send(new URL('/openapi.json', command.url));
      expect(JSON.parse(await printed(...flags))).to.deep.equal(json);
      await command.stop();
    });
  }

  it('prints the same as YAML', async () => {
    const yaml = await printed(...ADDRESSES, '--yaml');
    expect(yaml).to.match(/^openapi: 3\.1\.0\n/);
    expect(parse(yaml)).to.deep.equal(JSON.parse(await printed(...ADDRESSES)));
  });

  it('takes the addresses from the environment', async () => {
    const { stdout } = await outcomeOf(['openapi'], { BASE_URL: 'https://api.example.com/v1' });
    const { servers } = JSON.parse(stdout) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).to.deep.equal(['https://api.example.com/v1']);
  });

  it('refuses an address without the path of the interface', async () => {
    const outcome = await outcomeOf(['openapi', '--base-url=https://api.example.com/v2']);
    expect(outcome).to.include({ code: 2, stdout: '' });
    expect(errorsOf(outcome)).to.have.lengthOf(1);
  });
});

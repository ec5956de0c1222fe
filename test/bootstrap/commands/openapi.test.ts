import { expect } from 'chai';
import { outcomeOf, startCommand } from '../../support/command.js';
import { send } from '../../support/request.js';
import { printedBy } from '../outcome.js';

const ADDRESSES = ['--base-url=https://api.example.com/shop/v1', '--staging-base-url=https://staging.example.com/v1'];

describe('animal-store openapi', function () {
  this.timeout(180_000);

  const printed = async (...flags: string[]): Promise<string> => printedBy(['openapi', ...flags]);

  it('prints the document on standard output alone, with exit code 0', async () => {
    expect(await outcomeOf(['openapi'])).to.deep.equal({ code: 0, stdout: await printed(), stderr: '' });
  });

  it('prints the document that the server serves under the configured addresses', async () => {
    const command = await startCommand(ADDRESSES);
    const { json } = await send(new URL('/openapi.json', command.url));
    expect(JSON.parse(await printed(...ADDRESSES))).to.deep.equal(json);
    await command.stop();
  });

  it('names only the path if no address is configured, because a file has no address to resolve it against', async () => {
    const path = { url: '/v1', description: 'This service' };
    const staging = { url: 'https://staging.example.com/v1', description: 'Staging' };
    expect(JSON.parse(await printed())).to.have.deep.property('servers', [path]);
    expect(JSON.parse(await printed(...ADDRESSES.slice(1)))).to.have.deep.property('servers', [path, staging]);
  });
});

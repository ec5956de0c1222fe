import { expect } from 'chai';
import { startCommand } from '../support/command.js';
import { request } from '../support/request.js';

const KEY = 'a-key-of-more-than-16';
const MIB = 2 ** 20;

describe('animal-store serve with --body-limit 16MiB', () => {
  for (const [what, body] of Object.entries({
    '8 MiB of blanks': `{"name":"Rex",${' '.repeat(8 * MIB)}"categoryId":7}`,
    'an unknown member of 8 MiB': `{"name":"Rex","note":"${'x'.repeat(8 * MIB)}","categoryId":7}`,
  })) {
    it(`accepts a body with ${what}`, async () => {
      const command = await startCommand(['--body-limit', '16MiB'], { API_KEYS: `anna:${KEY}` });
      const answer = await request(command.port, 'POST', '/v1/pets', { key: KEY, body });
      expect([answer.status, answer.text]).to.deep.equal([201, '{"id":1,"name":"Rex","categoryId":7}']);
      await command.stop();
    });
  }
});

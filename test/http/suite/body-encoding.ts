import { expect } from 'chai';
import { createPet, expectError } from '../expectations.js';
import { post, type GetService } from '../service.js';

const INVALID_UTF8: Record<string, readonly number[]> = {
  'a byte that UTF-8 never has': [0xff],
  'a character cut short': [0xe2, 0x82],
  'an overlong slash': [0xc0, 0xaf],
  'an encoded surrogate': [0xed, 0xa0, 0x80],
  'Latin-1': [0xe9],
};

/** The tests of how a body is encoded. */
export function declareBodyEncoding(service: GetService): void {
  const around = (before: string, bytes: readonly number[], after: string): Buffer =>
    Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  const expectRefused = async (body: string | Buffer): Promise<string> =>
    expectError(await post(service(), body), 400, 'invalid_body');

  describe('the encoding of a body', () => {
    for (const [what, bytes] of Object.entries(INVALID_UTF8)) {
      it(`is refused for ${what} in a name`, async () => {
        await expectRefused(around('{"name":"Rex', bytes, '","categoryId":7}'));
      });

      it(`is refused for ${what} in an unknown member`, async () => {
        await expectRefused(around('{"name":"Rex","categoryId":7,"x":"', bytes, '"}'));
        await expectRefused(around('{"name":"Rex","categoryId":7,"', bytes, '":0}'));
      });

      it(`is refused for ${what} outside the object`, async () => {
        await expectRefused(around('{"name":"Rex","categoryId":7}', bytes, ''));
      });
    }

    it('is refused for a byte order mark in front', async () => {
      await expectRefused('\ufeff{"name":"Rex","categoryId":7}');
    });

    it('is refused for UTF-16 and UTF-32', async () => {
      const text = '{"name":"Rex","categoryId":7}';
      await expectRefused(Buffer.from(text, 'utf16le'));
      await expectRefused(Buffer.from(Array.from(text, (letter) => `\0\0\0${letter}`).join('')));
    });

    it('may escape characters that need no escape', async () => {
      const { name } = await createPet(
        service(),
        '{"n\\u0061me":"\\u0052\\u00e9x\\/\\"\\\\\\b\\f\\n\\r\\t","categoryId":7}',
      );
      expect(name).to.equal('Réx/"\\\b\f\n\r\t');
    });

    for (const escape of ['\\x41', '\\u12', '\\', '\n', '\u001f']) {
      it(`is refused for ${JSON.stringify(escape)} in a name, which is not JSON`, async () => {
        await expectRefused(`{"name":"Rex${escape}","categoryId":7}`);
      });
    }
  });
}

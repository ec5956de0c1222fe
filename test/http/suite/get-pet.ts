import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { createPet, expectError, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';

const NO_ANIMAL = ['9223372036854775807', '-9223372036854775808', '9223372036854775808', '0', '-1', 'x', '%zz', '%2F'];

/** Texts that are almost, but not quite, canonical decimals. */
const NOT_CANONICAL: Record<string, (id: string) => string> = {
  'a leading zero': (id) => `0${id}`,
  'a plus sign': (id) => `+${id}`,
  'a fraction': (id) => `${id}.0`,
  'encoded digits': (id) => [...id].map((digit) => `%3${digit}`).join(''),
  'an encoded line feed after it': (id) => `${id}%0A`,
  '2^64 added to it': (id) => String(BigInt(id) + 2n ** 64n),
};

/** The tests of how one animal is found. */
export function declareGetPet(service: GetService): void {
  describe('getPet', () => {
    let pet: PetText;
    before(async () => {
      pet = await createPet(service(), '{"name":"Rex","categoryId":7,"status":"sold"}');
    });
    const getPet = async (segment: string): Promise<Answer> => get(service(), `/pets/${segment}`);
    const expectDeprecated = (answer: Answer): void => {
      expect(answer.header('Deprecation')).to.equal('@1795132800');
      expect(answer.header('Sunset')).to.equal('Thu, 05 Dec 2030 00:00:00 GMT');
      expect(answer.header('Link')).to.equal(`<${service().basePath}/pets>; rel="successor-version"`);
    };

    it('ignores a query', async () => {
      expect((await getPet(`${pet.id}?limit=0&status=%zz`)).status).to.equal(200);
      expect((await getPet(`${pet.id}?`)).status).to.equal(200);
    });

    for (const segment of NO_ANIMAL) {
      it(`finds no animal by ${segment}`, async () => {
        expectError(await getPet(segment), 404, 'pet_not_found');
      });
    }

    for (const [what, form] of Object.entries(NOT_CANONICAL)) {
      it(`finds no animal by its id with ${what}`, async () => {
        expectError(await getPet(form(pet.id)), 404, 'pet_not_found');
      });
    }

    const segments: Record<string, () => string> = {
      'the animal exists': () => pet.id,
      'no animal has the id': () => '9223372036854775807',
      'the id is not a number': () => 'x',
    };
    for (const [when, segment] of Object.entries(segments)) {
      it(`is marked as deprecated if ${when}`, async () => {
        expectDeprecated(await getPet(segment()));
      });
    }
  });
}

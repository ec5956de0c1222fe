import { expect } from 'chai';
import { createPet, expectError, petOf } from '../expectations.js';
import { post, type GetService } from '../service.js';

const NOT_AN_ANIMAL: Record<string, string> = {
  'an array': '[]',
  null: 'null',
  true: 'true',
  'a broken object': '{"name":"Rex","categoryId":7',
  'a word after the object': '{"name":"Rex","categoryId":7}x',
};

const FAULTS: Record<string, readonly [body: string, named: readonly string[]]> = {
  nothing: ['{}', ['name', 'categoryId']],
  'no name': ['{"categoryId":7}', ['name']],
  'a name that is null': ['{"name":null,"categoryId":7}', ['name']],
  'a name that is an object': ['{"name":{"length":3},"categoryId":7}', ['name']],
  'a status that is null': ['{"name":"Rex","categoryId":7,"status":null}', ['status']],
  'an unknown status': ['{"name":"Rex","categoryId":7,"status":"lost"}', ['status']],
  'a status in the wrong case': ['{"name":"Rex","categoryId":7,"status":"Sold"}', ['status']],
  'the name of an inherited member as status': ['{"name":"Rex","categoryId":7,"status":"toString"}', ['status']],
  'faults in every member': ['{"name":"","categoryId":"7","status":"lost"}', ['name', 'categoryId', 'status']],
  'a missing member and an invalid one': ['{"categoryId":7.5}', ['name', 'categoryId']],
  'members in the wrong case': ['{"Name":"Rex","CategoryId":7}', ['name', 'categoryId']],
  'valid members inside __proto__': ['{"__proto__":{"name":"Rex","categoryId":7}}', ['name', 'categoryId']],
};

/** Members that an animal does not have. */
const UNKNOWN = [
  '"id":99',
  '"__proto__":{"name":"Tom","categoryId":1,"status":"sold","toJSON":1}',
  '"\\u005f_proto__":{"status":"sold"}',
  '"constructor":{"prototype":{"status":"sold"}}',
  '"Status":"sold"',
  '"":0',
  '"\\ud800":"\\udc00"',
];

/** The tests of required, optional and ignored members. */
export function declareBodyMembers(service: GetService): void {
  const refused = async (body: string): Promise<string> =>
    expectError(await post(service(), body), 400, 'invalid_body');

  describe('the body of createPet', () => {
    for (const [what, body] of Object.entries(NOT_AN_ANIMAL)) {
      it(`is refused if it is ${what}`, async () => {
        await refused(body);
      });
    }

    for (const [what, [body, named]] of Object.entries(FAULTS)) {
      it(`is refused for ${what}, by naming ${named.join(', ')}`, async () => {
        const message = await refused(body);
        for (const member of ['name', 'categoryId', 'status']) {
          const test = new RegExp(`\\b${member}\\b`);
          if (named.includes(member)) expect(message).to.match(test);
          else expect(message).not.to.match(test);
        }
      });
    }

    for (const members of UNKNOWN) {
      it(`may contain ${members}, which is ignored`, async () => {
        for (const body of [`{${members},"name":"Rex","categoryId":7}`, `{"name":"Rex","categoryId":7,${members}}`]) {
          const answer = await post(service(), body);
          const { id } = petOf(answer, 201);
          expect(answer.text).to.equal(`{"id":${id},"name":"Rex","categoryId":7}`);
        }
      });
    }

    const repeated: Record<string, readonly [body: string, expected: object]> = {
      categoryId: ['{"name":"Rex","categoryId":1,"categoryId":7}', { categoryId: '7' }],
      'an invalid categoryId': ['{"categoryId":{"a":[1]},"name":"Rex","categoryId":7}', { categoryId: '7' }],
      'an escaped name': ['{"name":"Tom","\\u006eame":"Rex","categoryId":7}', { name: 'Rex' }],
    };
    for (const [what, [body, expected]] of Object.entries(repeated)) {
      it(`may repeat ${what}: the last one counts`, async () => {
        expect(await createPet(service(), body)).to.include(expected);
      });
    }

    it('is refused if the last of two is invalid, though the earlier one is valid', async () => {
      expect(await refused('{"name":"Rex","categoryId":7,"categoryId":7.5}')).to.match(/\bcategoryId\b/);
    });
  });
}

import { expect } from 'chai';
import { createPet, expectError, petOf } from '../expectations.js';
import { post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

const nested = (begin: string, middle: string, end: string, depth: number): string =>
  begin.repeat(depth) + middle + end.repeat(depth);

/** Bodies that are no JSON object, or not in UTF-8. The tests of `parseJson` try other texts that are not JSON. */
const NO_OBJECT: Record<string, string | Buffer> = {
  'an array': '[]',
  null: 'null',
  'a broken object': BODY.slice(0, -1),
  '30,000 arrays in a member': `{"name":"Rex","categoryId":7,"x":${nested('[', '', ']', 30_000)}}`,
  'a byte that UTF-8 never has': Buffer.from('{"name":"R\u00ffx","categoryId":7}', 'latin1'),
  'a byte order mark in front': `\ufeff${BODY}`,
  'UTF-16': Buffer.from(BODY, 'utf16le'),
};

const rex = (name: string, categoryId = '7', status = '"sold"'): string =>
  `{"name":${name},"categoryId":${categoryId},"status":${status}}`;

/** Faults of the shape, and one of each value: the tests of the domain try the others. */
const FAULTS: Record<string, readonly [body: string, named: readonly string[]]> = {
  nothing: ['{}', ['name', 'categoryId']],
  'no name': ['{"categoryId":7}', ['name']],
  'a name that is null': [rex('null'), ['name']],
  'a name that is an object': [rex('{"length":3}'), ['name']],
  'white space alone': [rex('"\\u2003\\t"'), ['name']],
  'a fraction': [rex('"Rex"', '7.5'), ['categoryId']],
  'a number beyond int64': [rex('"Rex"', '9223372036854775808'), ['categoryId']],
  'a text of digits': [rex('"Rex"', '"7"'), ['categoryId']],
  'a status that is null': [rex('"Rex"', '7', 'null'), ['status']],
  'a status in the wrong case': [rex('"Rex"', '7', '"Sold"'), ['status']],
  'faults in every member': [rex('""', '"7"', '"lost"'), ['name', 'categoryId', 'status']],
  'a missing member and an invalid one': ['{"categoryId":7.5}', ['name', 'categoryId']],
  'members in the wrong case': ['{"Name":"Rex","CategoryId":7}', ['name', 'categoryId']],
  'valid members inside __proto__': [`{"__proto__":${BODY}}`, ['name', 'categoryId']],
  'an invalid member after a valid one': ['{"name":"Rex","categoryId":7,"categoryId":7.5}', ['categoryId']],
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

const ACCEPTED_TYPES = [
  'Application/Json',
  'application/json; charset=utf-8',
  'application/json; Charset=Utf-8',
  'application/json;charset="Utf8"',
  'application/json; charset=unicode-1-1-utf-8',
  'application/json ; ; charset="utf\\-8" ;',
  'application/json; profile="a;b=\\"c"; charset=utf-8',
  'application/json; charset=utf-8; a="\\"; charset=utf-16\\""',
];
const REFUSED_TYPES = [
  'application/json; charset=iso-8859-1',
  'application/json; charset=""',
  'application/json; charset=utf-8x',
  'application/json; charset="utf-8',
  'application/json; charset = utf-8',
  'application/json; charset',
  'application/json; charset=utf-8; charset=utf-8',
  'application/json; charset=utf-8;a=1;CHARSET=utf-8',
  'application/json; charset=utf-8; charset=""',
  'application/json, application/json',
  'application/jsonx',
  'application/vnd.api+json',
  'text/plain; application/json',
  '*/*',
  '',
];

/** The tests of the body of `createPet`: its encoding and its members. */
export function declareBodies(service: GetService): void {
  const refused = async (body: string | Buffer): Promise<string> =>
    expectError(await post(service(), body), 400, 'invalid_body');

  describe('the body of createPet', () => {
    for (const [what, body] of Object.entries(NO_OBJECT)) {
      it(`is refused if it is or has ${what}`, async () => {
        await refused(body);
      });
    }

    for (const [what, [body, named]] of Object.entries(FAULTS)) {
      it(`is refused for ${what}, by naming ${named.join(', ')}`, async () => {
        const message = await refused(body);
        const members = ['name', 'categoryId', 'status'].filter((member) =>
          new RegExp(`\\b${member}\\b`).test(message),
        );
        expect(members).to.deep.equal(named);
      });
    }

    for (const members of UNKNOWN) {
      it(`may contain ${members}, which is ignored`, async () => {
        for (const body of [`{${members},"name":"Rex","categoryId":7}`, `{"name":"Rex","categoryId":7,${members}}`]) {
          const answer = await post(service(), body);
          expect(answer.text).to.equal(`{"id":${petOf(answer, 201).id},"name":"Rex","categoryId":7}`);
        }
      });
    }

    it('may repeat a member, escape its name, and nest values: the last one counts', async () => {
      for (const deep of [nested('[', '', ']', 90), nested('{"a":', '0', '}', 90)]) {
        const pet = await createPet(service(), `{"name":${deep},"\\u006eame":"Rex","x":${deep},"categoryId":7}`);
        expect(pet).to.include({ name: 'Rex' });
      }
    });
  });

  describe('Content-Type', () => {
    for (const contentType of ACCEPTED_TYPES) {
      it(`may be ${contentType}`, async () => {
        petOf(await post(service(), BODY, { contentType }), 201);
      });
    }

    for (const contentType of REFUSED_TYPES) {
      it(`must not be ${contentType || 'empty'}`, async () => {
        expectError(await post(service(), BODY, { contentType }), 415, 'unsupported_media_type');
      });
    }
  });

  describe('Content-Encoding', () => {
    it('may be IDENTITY', async () => {
      petOf(await post(service(), BODY, { headers: [['Content-Encoding', 'IDENTITY']] }), 201);
    });

    for (const coding of ['gzip', 'identity, gzip', 'utf-8']) {
      it(`must not be ${coding}`, async () => {
        const answer = await post(service(), BODY, { headers: [['Content-Encoding', coding]] });
        expectError(answer, 415, 'unsupported_media_type');
      });
    }
  });
}

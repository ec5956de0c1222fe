import { expectError, petOf } from '../expectations.js';
import { post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';
const ACCEPTED = [
  'application/json',
  'Application/Json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; Charset=Utf-8',
  'application/json; charset="utf-8"',
  'application/json; charset=utf8',
  'application/json;charset="Utf8"',
  'application/json; charset=unicode-1-1-utf-8',
  'application/json ; charset=utf-8',
  'application/json;',
  'application/json ; ; charset="utf\\-8" ;',
  'application/json; profile="a;b=\\"c"; charset=utf-8',
  'application/json; charset=utf-8; a="\\"; charset=utf-16\\""',
];
const REFUSED = [
  'application/json; charset=iso-8859-1',
  'application/json; charset="us-ascii"',
  'application/json; charset=',
  'application/json; charset=utf-8x',
  'application/json; charset=utf7',
  'application/json; charset="utf-8',
  'application/json; charset = utf-8',
  'application/json; charset',
  'application/json;===',
  'application/json; =utf-8',
  'application/json; charset=utf-8; charset=utf-8',
  'application/json; charset=utf-8;a=1;CHARSET=utf-8',
  'application/json; charset=utf-8; charset=""',
  'application/json, application/json',
  'application/jsonx',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/plain; application/json',
  'json',
  '*/*',
  '',
];

/** The tests of the header fields that describe a body. */
export function declareMediaTypes(service: GetService): void {
  describe('Content-Type', () => {
    for (const contentType of ACCEPTED) {
      it(`may be ${contentType}`, async () => {
        petOf(await post(service(), BODY, { contentType }), 201);
      });
    }

    for (const contentType of REFUSED) {
      it(`must not be ${contentType || 'empty'}`, async () => {
        expectError(await post(service(), BODY, { contentType }), 415, 'unsupported_media_type');
      });
    }
  });

  describe('Content-Encoding', () => {
    for (const encoding of ['identity', 'IDENTITY']) {
      it(`may be ${encoding}`, async () => {
        petOf(await post(service(), BODY, { headers: [['Content-Encoding', encoding]] }), 201);
      });
    }

    for (const encoding of ['gzip', 'br', 'identity, gzip', 'utf-8']) {
      it(`must not be ${encoding}`, async () => {
        const answer = await post(service(), BODY, { headers: [['Content-Encoding', encoding]] });
        expectError(answer, 415, 'unsupported_media_type');
      });
    }
  });
}

import { expect } from 'chai';
import { nextLink } from '../../../src/adapters/remote/link-header.js';

describe('nextLink', () => {
  for (const [field, target] of [
    ['</v1/pets?after=7>; rel="next"', '/v1/pets?after=7'],
    ['</v1/pets?after=7>;rel=next', '/v1/pets?after=7'],
    ['<a> ; title="x, y; \\"rel=next\\"" ; REL = "last NEXT"', 'a'],
    ['</style.css>; rel=preload; as=style, <b>; rel=next', 'b'],
    ['<a>; rel=prev, <b,c>; rel="next"', 'b,c'],
    ['<a>; rel=next, <b>; rel=next', 'a'],
    ['<>; rel=next', ''],
    ['<a>; rel=prev', undefined],
    ['<a>; rel="nextish"', undefined],
    ['<a>; title="rel=next"', undefined],
    [';rel=next, <b>;rel=next', 'b'],
    ['<a>, rel=next', undefined],
    ['<a>; rel=prev, x; rel=next', undefined],
    ['<a>; rel=prev, <b> next', undefined],
    ['<a>; "rel"=next', undefined],
    ['<a>; title=next', undefined],
    ['<a>; next', undefined],
    ['rel=next', undefined],
    ['<a; rel=next', undefined],
    ['<a>; rel="next', undefined],
    ['', undefined],
  ] as const) {
    it(`finds ${target === undefined ? 'nothing' : JSON.stringify(target)} in ${field}`, () => {
      expect(nextLink(field)).to.equal(target);
    });
  }

  it('reads a field of 4 MB in time that grows with its length', () => {
    for (const piece of ['<a>\\"', '<a>;', '<', '"\\"', ' ', ',;='])
      expect(nextLink(piece.repeat(2 ** 20))).to.equal(undefined);
  });
});

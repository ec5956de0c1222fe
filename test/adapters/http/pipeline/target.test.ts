import { expect } from 'chai';
import { mountPathOf, parseTarget } from '../../../../src/adapters/http/pipeline/target.js';

describe('parseTarget', () => {
  for (const [target, path, query] of [
    ['/', '/', ''],
    ['/a/b', '/a/b', ''],
    ['/a?b=c', '/a', 'b=c'],
    ['/?a?b', '/', 'a?b'],
    ['//a', '//a', ''],
    ['/http://a/b', '/http://a/b', ''],
    ['http://a', '/', ''],
    ['http://a?b', '/', 'b'],
    ['http://a/b?c', '/b', 'c'],
    ['HTTPS://a:1/b', '/b', ''],
    ['*', '*', ''],
  ] as const) {
    it(`splits ${target}`, () => expect(parseTarget(target)).to.deep.equal({ path, query }));
  }

  for (const target of ['', 'a', '?a', '*?', '/#', 'http://a#', 'http:///a', 'ftp://a/b', 'x-http://a/b', 'a:1']) {
    it(`refuses ${target || 'an empty target'}`, () => expect(parseTarget(target)).to.equal(undefined));
  }
});

describe('mountPathOf', () => {
  for (const [original, path, mountPath] of [
    ['/shop/v1/pets', '/v1/pets', '/shop'],
    ['http://a/shop/v1/pets?limit=1', '/v1/pets', '/shop'],
    ['/v1/pets', '/v1/pets', ''],
    ['/shop', '/', '/shop'],
    ['/shop/', '/', '/shop'],
    ['/', '/', ''],
    ['/elsewhere', '/v1/pets', ''],
    ['a://b', '/v1/pets', ''],
    ['a://b', '/', ''],
  ] as const) {
    it(`of ${original}, of which ${path} is left, is ${mountPath || 'empty'}`, () => {
      expect(mountPathOf(original, path)).to.equal(mountPath);
    });
  }
});

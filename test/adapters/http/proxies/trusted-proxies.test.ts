import { expect } from 'chai';
import { trustedProxies } from '../../../../src/adapters/http/proxies/trusted-proxies.js';

const CLIENT = '203.0.113.7';
const FORGED = '198.51.100.1';

describe('trustedProxies', () => {
  /** The client of a request from this address, behind the proxies of this machine and of a private network. */
  function clientBehind(remoteAddress: string, ...rawHeaders: readonly string[]): string {
    return trustedProxies(['loopback', 'private', '192.0.2.0/24', '2001:db8:1::1'])(remoteAddress, rawHeaders);
  }

  const X = 'X-Forwarded-For';

  for (const [what, address] of [
    ['an untrusted client', CLIENT],
    ['an address next to a trusted one', '2001:db8:1::2'],
    ['an address below a trusted range', '192.0.1.255'],
    ['an address above a trusted range', '192.0.3.0'],
    ['an address above a private network', '172.32.0.1'],
  ] as const) {
    it(`ignores what ${what} writes`, () => {
      expect(clientBehind(address, X, FORGED, 'Forwarded', `for=${FORGED}`)).to.equal(address);
    });
  }

  const TRUSTED =
    '127.0.0.1 127.255.255.255 ::1 ::ffff:127.0.0.1 10.1.2.3 ::ffff:10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 ' +
    'fc00::1 fdff::1 192.0.2.255 2001:db8:1::1 2001:0DB8:1:0:0:0:0:1';
  for (const address of TRUSTED.split(' ')) {
    it(`believes the proxy at ${address}`, () => {
      expect(clientBehind(address, X, CLIENT)).to.equal(CLIENT);
    });
  }

  it('ignores what a client has written in front of what the proxies write', () => {
    expect(clientBehind('127.0.0.1', X, `${FORGED}, 127.0.0.1, ${CLIENT}, 10.0.0.2`)).to.equal(CLIENT);
  });

  it('reads several lines as one list', () => {
    expect(clientBehind('127.0.0.1', X, FORGED, 'Accept', '*/*', 'x-forwarded-for', CLIENT, X, '10.0.0.2')).to.equal(
      CLIENT,
    );
  });

  it('takes the farthest address if all are trusted', () => {
    expect(clientBehind('127.0.0.1', X, '10.0.0.1,10.0.0.2')).to.equal('10.0.0.1');
  });

  it('takes the address of the proxy if it has written none', () => {
    expect(clientBehind('127.0.0.1', 'Host', 'x')).to.equal('127.0.0.1');
  });

  for (const [node, address] of [
    [`${CLIENT}:4711`, CLIENT],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    [`\t${CLIENT} `, CLIENT],
    [`${CLIENT},, ,`, CLIENT],
  ] as const) {
    it(`reads ${JSON.stringify(node)} of ${X}`, () => {
      expect(clientBehind('127.0.0.1', X, node)).to.equal(address);
    });
  }

  for (const node of ['unknown', '1', '0x7f.1', '203.0.113.256', '203.0.113.7.', '[203.0.113.7', '<b>', 'a b']) {
    it(`ends the search at ${JSON.stringify(node)} in ${X}`, () => {
      expect(clientBehind('127.0.0.1', X, `${FORGED},${node},10.0.0.2`)).to.equal('10.0.0.2');
    });
  }

  for (const [line, address] of [
    [`for=${CLIENT}`, CLIENT],
    [`For="${CLIENT}:4711";proto=https;by=10.0.0.2`, CLIENT],
    [`proto=https;for="[2001:db8::7]:_port"`, '2001:db8::7'],
    [`for=${FORGED}, for=${CLIENT};host="a, for=${FORGED}", for=10.0.0.2`, CLIENT],
    [`for=${FORGED}, for=unknown, for=10.0.0.2`, '10.0.0.2'],
    [`for=${FORGED}, for=_hidden`, '127.0.0.1'],
    [`for=${FORGED}, proto=https`, '127.0.0.1'],
    [`for=${FORGED}, for="${CLIENT}`, '127.0.0.1'],
    ['for=', '127.0.0.1'],
    ['', '127.0.0.1'],
  ] as const) {
    it(`reads ${JSON.stringify(line)} of Forwarded`, () => {
      expect(clientBehind('127.0.0.1', 'Forwarded', line)).to.equal(address);
    });
  }

  it('reads the line of Forwarded that a proxy has added behind a malformed one', () => {
    expect(clientBehind('127.0.0.1', 'Forwarded', 'for="', 'Forwarded', `for=${CLIENT}`)).to.equal(CLIENT);
  });

  it('ends the search at a malformed line of Forwarded', () => {
    const lines = ['Forwarded', `for=${FORGED}`, 'Forwarded', '"', 'Forwarded', 'for=10.0.0.2'];
    expect(clientBehind('127.0.0.1', ...lines)).to.equal('10.0.0.2');
  });

  it('ignores Forwarded if there is X-Forwarded-For, even an empty one', () => {
    expect(clientBehind('127.0.0.1', 'Forwarded', `for=${FORGED}`, X, CLIENT)).to.equal(CLIENT);
    expect(clientBehind('127.0.0.1', 'Forwarded', `for=${FORGED}`, X, '')).to.equal('127.0.0.1');
  });

  for (const proxy of [
    '',
    'private ',
    ...'localhost 10.0.0.0/ 10.0.0.0/33 ::/129 1.2.3 1.2.3.4/a toString'.split(' '),
  ]) {
    it(`refuses to trust ${JSON.stringify(proxy)}`, () => {
      expect(() => trustedProxies(['loopback', proxy])).to.throw(TypeError, 'trusted proxies');
    });
  }

  it('trusts every address if the ranges cover all', () => {
    expect(trustedProxies(['0.0.0.0/0', '::/0'])(CLIENT, [X, FORGED])).to.equal(FORGED);
  });
});

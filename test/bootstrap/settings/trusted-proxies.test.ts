import { expect } from 'chai';
import { trustedProxies } from '../../../src/bootstrap/settings/trusted-proxies.js';

const CLIENT = '203.0.113.7';
const FORGED = '198.51.100.1';
const X = 'X-Forwarded-For';

describe('trustedProxies', () => {
  /** The client of a request from this address, behind the proxies of this machine and of a private network. */
  function clientBehind(remoteAddress: string, ...rawHeaders: readonly string[]): string {
    return trustedProxies(['loopback', 'private', '192.0.2.0/24', '2001:db8:1::1'])(remoteAddress, rawHeaders);
  }

  for (const address of [CLIENT, '2001:db8:1::2', '192.0.1.255', '192.0.3.0', '172.32.0.1']) {
    it(`ignores what ${address} writes, which is not trusted`, () => {
      expect(clientBehind(address, X, FORGED)).to.equal(address);
    });
  }

  for (const address of '127.255.255.255 ::1 ::ffff:10.1.2.3 172.16.0.1 fdff::1 192.0.2.255 2001:0DB8:1:0::1'.split(
    ' ',
  )) {
    it(`believes the proxy at ${address}`, () => {
      expect(clientBehind(address, X, CLIENT)).to.equal(CLIENT);
    });
  }

  it('ignores what a client has written in front of what the proxies write', () => {
    expect(clientBehind('127.0.0.1', X, `${FORGED}, 127.0.0.1, ${CLIENT}, 10.0.0.2`)).to.equal(CLIENT);
  });

  for (const [client, proxy] of [
    [`${CLIENT}:4711`, '10.0.0.5:40122'],
    [CLIENT, '[fd00::5]'],
    [CLIENT, '[fd00::5]:40122'],
    [CLIENT, 'fd00::5'],
    [CLIENT, '[::ffff:10.0.0.5]:40122'],
    ['[2001:db8::7]:4711', '10.0.0.5'],
    ['[2001:db8::7]', '10.0.0.5'],
    ['2001:db8::7', '10.0.0.5'],
  ] as const) {
    it(`takes the address alone of ${client}, and recognises the proxy in ${proxy}`, () => {
      const address = client.includes('db8') ? '2001:db8::7' : CLIENT;
      expect(clientBehind('127.0.0.1', X, `${FORGED}, ${client}, ${proxy}`)).to.equal(address);
    });
  }

  it('returns an entry that is no address as the trusted proxy wrote it', () => {
    for (const entry of ['unknown', '_hidden:80', '[::1', '10.0.0.5:'])
      expect(clientBehind('127.0.0.1', X, `${CLIENT}, ${entry}`)).to.equal(entry);
  });

  it('reads several lines as one list', () => {
    const rawHeaders = [X, FORGED, 'Accept', '*/*', 'x-forwarded-for', CLIENT, X, '10.0.0.2'];
    expect(clientBehind('127.0.0.1', ...rawHeaders)).to.equal(CLIENT);
  });

  it('takes the address of the proxy if it has written none', () => {
    expect(clientBehind('127.0.0.1', 'Forwarded', `for=${CLIENT}`)).to.equal('127.0.0.1');
  });
});

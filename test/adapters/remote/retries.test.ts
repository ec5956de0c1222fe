import { inspect } from 'node:util';
import { expect } from 'chai';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { backoffMs } from '../../../src/adapters/remote/request-with-retry.js';
import { RemoteStoreError } from '../../../src/adapters/remote/remote-store-error.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted, type Script } from './scripted-service.js';
import { KEY, urlOf } from './serve-catalogue.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const CREATED: Script = { status: 201, body: '{"id":1,"name":"Rex","categoryId":7}' };

/** A response of the interface with an error. */
function errorResponse(status: number, code: string, headers: Record<string, string> = {}): Script {
  return { status, headers, body: JSON.stringify({ code, message: `not now, ${KEY}`, status }) };
}

describe('a request of RemotePetCatalogue', function () {
  this.timeout(180_000);

  const PASSING: Readonly<Record<string, Script>> = {
    '408': errorResponse(408, 'request_timeout', { Connection: 'close' }),
    '429': errorResponse(429, 'too_many_requests', { 'Retry-After': '0' }),
    '502 with HTML': { status: 502, body: '<html>Bad gateway</html>' },
    '503': errorResponse(503, 'overloaded'),
    ...Object.fromEntries([425, 504, 520, 521, 522, 523, 524, 529].map((status) => [status, { status, body: '' }])),
    '503 with a body that breaks off': (response) => {
      response.writeHead(503, { 'Content-Length': 100 });
      response.write('{"code":', () => response.destroy());
    },
    'a broken connection': (response) => response.destroy(),
  };

  for (const [what, script] of Object.entries(PASSING)) {
    it(`is sent again, the same, after ${what}`, async () => {
      const service = await startScripted(script, script, CREATED);
      expect(await service.catalogue().add(REX)).to.deep.equal({ id: 1n, ...REX });
      const sent = service.seen.map(({ body, headers }) => [body, headers['idempotency-key']]);
      expect(sent).to.have.length(3);
      for (const other of sent) expect(other).to.deep.equal(sent[0]);
    });
  }

  for (const [what, script] of [
    ['a response', () => undefined],
    ['its next attempt', errorResponse(503, 'overloaded', { 'Retry-After': '3600' })],
  ] as const) {
    it(`rejects with the reason of its caller as soon as that cancels it, while it waits for ${what}`, async () => {
      const reason = new Error('the caller has gone');
      const controller = new AbortController();
      const service = await startScripted(script);
      const call = service.catalogue({ deadlineMs: 7_200_000 }).list({ limit: 1 }, controller);
      setTimeout(() => controller.abort(reason), 200);
      expect(await rejectionOf(call)).to.equal(reason);
    });
  }

  it('is cancelled and sent again after a silence, before the deadline', async () => {
    let close: () => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const service = await startScripted((response) => response.once('close', close), CREATED);
    expect(await service.catalogue({ deadlineMs: 2000 }).add(REX)).to.have.property('id', 1n);
    expect(service.seen).to.have.length(2);
    await closed;
  });

  it('gives an attempt half of the remaining time', async () => {
    const service = await startScripted((response) => {
      setTimeout(() => response.writeHead(200).end('[]'), 600);
    });
    await service.catalogue({ deadlineMs: 30_000 }).list({ limit: 1 });
    expect(service.seen).to.have.length(1);
  });

  describe('that is never answered', () => {
    it('rejects with store_unavailable, and with the last refusal as its cause, if Retry-After asks for more time than is left', async () => {
      const refusal = errorResponse(503, 'overloaded');
      const last = errorResponse(503, 'store_unavailable', { 'X-Request-Id': 'r-7', 'Retry-After': '3600' });
      const service = await startScripted(refusal, refusal, last);
      const error = await rejectionOf(service.catalogue({ deadlineMs: 60_000 }).list({ limit: 1 }));
      expect(error).to.be.instanceOf(AnimalStoreError).and.include({
        code: 'store_unavailable',
        message: 'the remote store did not answer in time',
      });
      expect((error as Error).cause)
        .to.be.instanceOf(RemoteStoreError)
        .and.include({ status: 503, code: 'store_unavailable', requestId: 'r-7' });
      expect(service.seen).to.have.length(3);
    });

    it('rejects with store_unavailable, and with the error of the connection as its cause', async () => {
      const error = await rejectionOf(
        new RemotePetCatalogue({ url: urlOf(1), apiKey: KEY, deadlineMs: 300 }).list({ limit: 1 }),
      );
      expect(error).to.have.property('code', 'store_unavailable');
      expect((error as Error).cause).to.include({ name: 'NoResponseError', message: 'the connection failed' });
      expect(inspect(error, { depth: 9 })).to.match(/bad port|ECONNREFUSED/);
    });

    const SILENT: Readonly<Record<string, Script>> = {
      'no response arrives': () => undefined,
      'the response arrives byte by byte, without end': (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    };
    for (const [what, script] of Object.entries(SILENT)) {
      it(`rejects with store_unavailable, and says how long it has waited, if ${what}`, async () => {
        const { catalogue } = await startScripted(script);
        const error = await rejectionOf(catalogue({ deadlineMs: 300 }).find(1n));
        expect(error).to.have.property('code', 'store_unavailable');
        expect(((error as Error).cause as Error).message).to.match(/^no response within \d+ ms$/);
      });
    }
  });

  for (const [status, code] of [
    [400, 'invalid_body'],
    [401, 'unauthorized'],
    [500, 'internal_error'],
  ] as const) {
    it(`is sent once, and rejects with a RemoteStoreError, if it is refused: ${status} ${code}`, async () => {
      const service = await startScripted(errorResponse(status, code, { 'X-Request-Id': 'r-7' }));
      const catalogue = service.catalogue();
      for (const call of [async () => catalogue.add(REX), async () => catalogue.list({ limit: 1 })]) {
        const error = await rejectionOf(call());
        expect(error).to.be.instanceOf(RemoteStoreError).and.include({ status, code, requestId: 'r-7' });
        expect((error as Error).message).to.equal(`the remote store answered ${status}: ${code} (request r-7)`);
      }
      expect(service.seen).to.have.length(2);
    });
  }

  it('rejects with a RemoteStoreError without a code if a proxy refuses it', async () => {
    for (const body of ['<html>', '', 'null', '"text"', '[]', '{"code":null}', '{"code":"No code"}']) {
      const service = await startScripted({ status: 400, body });
      const error = await rejectionOf(service.catalogue().list({ limit: 1 }));
      const plain = { status: 400, code: undefined, requestId: undefined, message: 'the remote store answered 400' };
      expect(error).to.be.instanceOf(RemoteStoreError).and.include(plain);
    }
  });

  it('does not reveal the key in errors of Node or in an inspected catalogue', async () => {
    for (const [status, body] of [
      [401, JSON.stringify({ code: 'unauthorized', message: KEY, status: 401 })],
      [503, KEY],
    ] as const) {
      const { url } = await startScripted({ status, headers: { 'WWW-Authenticate': KEY }, body });
      const catalogue = new RemotePetCatalogue({ url, apiKey: KEY, deadlineMs: 100 });
      const errors = [await rejectionOf(catalogue.add(REX))];
      errors.push(await rejectionOf(new RemotePetCatalogue({ url: urlOf(1), apiKey: KEY, deadlineMs: 1 }).add(REX)));
      for (const shown of [...errors, catalogue])
        expect(inspect(shown, { depth: 9, showHidden: true })).not.to.include(KEY);
    }
  });
});

describe('the pause after a failed attempt', () => {
  /** Many pauses after a number of failed attempts, sorted by length. */
  function pausesAfter(attempts: number, retryAfter: string | null = null): readonly number[] {
    return Array.from({ length: 200 }, () => backoffMs(attempts, retryAfter)).sort((a, b) => a - b);
  }

  it('doubles from 50 ms to 2 s, of which a random part, at least half, passes', () => {
    for (const [attempts, longest] of [50, 100, 200, 400, 800, 1600, 2000, 2000].entries()) {
      const pauses = pausesAfter(attempts + 1);
      expect(pauses[0]).to.be.at.least(longest / 2);
      expect(pauses.at(-1)).to.be.at.most(longest);
      expect(new Set(pauses).size).to.be.greaterThan(100);
    }
    expect(pausesAfter(100_000).at(-1)).to.be.at.most(2000);
  });

  it('begins when Retry-After has passed, in seconds or at a date', () => {
    for (const retryAfter of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      expect(pausesAfter(1, retryAfter)[0], retryAfter).to.be.within(3_590_000, 3_600_050);
    }
  });

  it('is as usual if Retry-After is anything else', () => {
    for (const retryAfter of ['', '0', '-1', '1.5', 'soon', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      expect(pausesAfter(1, retryAfter).at(-1), retryAfter).to.be.at.most(50);
    }
  });
});

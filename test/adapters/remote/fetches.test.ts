import { expect } from 'chai';
import nodeFetch from 'node-fetch';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import type { Fetch } from '../../../src/adapters/remote/remote-options.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted } from './scripted-service.js';
import { KEY, remoteOf, urlOf } from './serve-catalogue.js';

const REX = { name: 'Rex 😀', categoryId: 7n } as const;
const CREATED = { status: 201, body: '{"id":1,"name":"Rex 😀","categoryId":7}' };

/** A fetch as that of React Native: a response has a text, but no stream. */
const withoutStream: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: async () => response.text() };
};

/** A signal as those of React Native: without `reason` and `throwIfAborted`. */
function plainSignal(): { readonly signal: AbortSignal; abort(): void } {
  const target = new EventTarget();
  const signal = Object.assign(target, { aborted: false }) as unknown as AbortSignal & { aborted: boolean };
  const abort = (): void => {
    signal.aborted = true;
    target.dispatchEvent(new Event('abort'));
  };
  return { signal, abort };
}

describe('RemotePetCatalogue on another fetch than that of Node', () => {
  for (const [name, fetch] of Object.entries({ 'node-fetch': nodeFetch, 'one without streams': withoutStream })) {
    it(`creates and lists by ${name}`, async () => {
      const catalogue = await remoteOf(new InMemoryPetCatalogue(), { fetch });
      const rex = await catalogue.add(REX);
      expect(await catalogue.addOnce(REX, 'once')).to.deep.equal({ pet: { ...rex, id: 2n }, replayed: false });
      expect(await catalogue.addOnce(REX, 'once')).to.have.property('replayed', true);
      expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [rex], next: 1n });
      expect(await catalogue.find(3n)).to.equal(undefined);
    });

    it(`sends a creation again, with its key, if the connection breaks under ${name}`, async () => {
      const service = await startScripted((response) => {
        response.writeHead(201, { 'Content-Length': 100 });
        response.write('{"id":1', () => response.destroy());
      }, CREATED);
      expect(await service.catalogue({ fetch }).add(REX)).to.deep.equal({ id: 1n, ...REX });
      const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys).to.deep.equal([keys[0], keys[0]]);
    });

    it(`ends a request of ${name} with its caller's signal`, async () => {
      const { signal, abort } = plainSignal();
      let close: () => void;
      const closed = new Promise<void>((resolve) => (close = resolve));
      const service = await startScripted((response) => {
        response.once('close', close);
        abort();
      });
      const error = await rejectionOf(service.catalogue({ fetch }).list({ limit: 1 }, { signal }));
      expect(error).to.have.property('name', 'AbortError');
      await closed;
    });
  }

  for (const [name, fetching] of Object.entries({ 'that of Node': fetch, 'node-fetch': nodeFetch as Fetch })) {
    it(`gives up a body without a Content-Length that does not end, by ${name}, and ends its connection`, async () => {
      let close: () => void;
      const closed = new Promise<void>((resolve) => (close = resolve));
      const piece = Buffer.alloc(65_536, ' ');
      const service = await startScripted((response) => {
        const writeOn = (error?: Error | null): void => {
          if (!error) response.write(piece, writeOn);
        };
        response.once('close', close);
        writeOn();
      });
      const error = await rejectionOf(service.catalogue({ fetch: fetching }).list({ limit: 1 }));
      expect(error).to.include({ name: 'RemoteStoreError', status: 200 });
      expect((error as Error).message).to.include('its body is larger than 2097152 bytes');
      await closed;
    });
  }

  it('sends nothing if the signal is aborted already, and takes null for none', async () => {
    const service = await startScripted({});
    const { signal, abort } = plainSignal();
    expect(await service.catalogue().list({ limit: 1 }, { signal: null })).to.deep.equal({ pets: [] });
    abort();
    expect(await rejectionOf(service.catalogue().list({ limit: 1 }, { signal }))).to.have.property(
      'name',
      'AbortError',
    );
    expect(service.seen).to.have.length(1);
  });

  const UNREADABLE: Readonly<Record<string, (response: Response) => unknown>> = {
    'is no response': () => undefined,
    'has no text': ({ status, headers }) => ({ status, headers }),
    'has lost its text': async (response) => {
      await response.text();
      return response;
    },
  };
  for (const [what, spoil] of Object.entries(UNREADABLE)) {
    it(`sends a creation once if what fetch resolves to ${what}`, async () => {
      const service = await startScripted(CREATED);
      const fetching = (async (url: string, init: RequestInit) => spoil(await fetch(url, init))) as unknown as Fetch;
      const error = await rejectionOf(service.catalogue({ fetch: fetching }).add(REX));
      expect((error as Error).name).to.be.oneOf(['TypeError', 'RemoteStoreError']);
      expect(service.seen).to.have.length(1);
    });
  }

  it('sends a creation twice, and gives its reason, if fetch cannot read the text', async () => {
    const service = await startScripted(CREATED);
    const cause = new TypeError('not implemented');
    const fetching: Fetch = async (url, init) => {
      const { status, headers } = await fetch(url, init);
      return { status, headers, text: async () => Promise.reject(cause) };
    };
    const error = await rejectionOf(service.catalogue({ fetch: fetching }).add(REX));
    expect(error).to.include({ name: 'RemoteStoreError', status: 201, cause });
    expect(service.seen).to.have.length(2);
  });

  it('reports a redirect whose status a browser hides', async () => {
    const hidden = { status: 0, headers: new Headers(), text: async () => '' };
    const options = { ...PATIENT, url: urlOf(1), apiKey: KEY, fetch: async () => hidden };
    const error = await rejectionOf(new RemotePetCatalogue(options).list({ limit: 1 }));
    expect(error).to.include({ name: 'RemoteStoreError', status: 0 });
    expect((error as Error).message).to.match(/^the remote store answered 0: a redirect, which is not followed/);
  });
});

import { expect } from 'chai';
import type { ApiServer } from '../../../../src/adapters/http/operations/openapi.js';
import { fetchInMemory } from '../../../support/in-memory-interface.js';

describe('the reference page', () => {
  async function get(path: string, servers?: readonly ApiServer[]): Promise<Response> {
    return fetchInMemory({ ...(servers !== undefined && { servers }) })(path);
  }

  /** The directives of the page's policy if the service is at these addresses. */
  async function directives(servers?: readonly ApiServer[]): Promise<readonly string[]> {
    return (await get('/docs', servers)).headers.get('Content-Security-Policy')?.split('; ') ?? [];
  }

  /** What the page may connect to. */
  const connections = async (servers?: readonly ApiServer[]): Promise<string | undefined> =>
    (await directives(servers)).find((directive) => directive.startsWith('connect-src '));

  it('may load and do only what Swagger UI needs', async () => {
    expect(await directives()).to.have.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('cannot be ended by a text of the document', async () => {
    const page = await (await get('/docs', [{ url: 'v1', description: '</script><b>' }])).text();
    expect(page).to.include('\\u003c/script>\\u003cb>').and.not.include('<b>');
  });

  it('is named in plain text by the answer of / that redirects to it', async () => {
    const answer = await get('/');
    expect([answer.headers.get('Content-Type'), await answer.text()]).to.deep.equal([
      'text/plain; charset=utf-8',
      'The reference is at /docs\n',
    ]);
  });

  it('may send requests to each server of the document', async () => {
    const servers = ['https://animals.example/v1', 'https://staging.animals.example:8443/shop/v1'];
    expect(await connections(servers.map((url) => ({ url, description: 'A server' })))).to.equal(
      "connect-src 'self' https://animals.example https://staging.animals.example:8443",
    );
  });

  it('may send requests to its own origin alone if the document names no other server', async () => {
    expect(await connections()).to.equal("connect-src 'self'");
  });
});

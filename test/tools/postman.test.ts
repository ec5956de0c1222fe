import { expect } from 'chai';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.js';
import { KEY, readDocument, startService, TOOLS } from './tools.js';

interface Field {
  readonly disabled?: boolean;
  readonly key: string;
  readonly value: string;
}

interface Request {
  readonly method: string;
  readonly url: { readonly path: readonly string[] };
  readonly header: readonly Field[];
  readonly body?: { readonly raw?: string };
}

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: Request;
}

interface Conversion {
  readonly result: boolean;
  readonly reason?: string;
  readonly output: readonly [
    { readonly data: { readonly item: readonly Item[]; readonly auth: { readonly type: string } } },
  ];
}

interface Converter {
  convertV2(
    input: { readonly type: 'json'; readonly data: unknown },
    options: object,
    done: (error: Error | null, conversion: Conversion) => void,
  ): void;
}

describe('the OpenAPI document, imported by Postman', () => {
  /** Imports the document with the settings that docs/http-api.md names, and gives the request for createPet. */
  async function importCreatePet(settings: object = { enableOptionalParameters: false }): Promise<Request> {
    const { text } = await readDocument();
    const { convertV2 } = createRequire(join(TOOLS, 'package.json'))('openapi-to-postmanv2') as Converter;
    // By its other setting, Postman writes placeholders such as "<long>" for the user to fill in.
    const options = { parametersResolution: 'Example', ...settings };
    const { output } = await new Promise<Conversion>((resolve, reject) => {
      convertV2({ type: 'json', data: JSON.parse(text) }, options, (error, conversion) => {
        if (conversion.result) resolve(conversion);
        else reject(error ?? new Error(conversion.reason));
      });
    });
    const [{ data: collection }] = output;
    expect(collection.auth.type).to.equal('bearer');
    const request = requestsOf(collection.item).find(({ method }) => method === 'POST');
    if (request === undefined) throw new Error('the collection has no request for createPet');
    return request;
  }

  before(async () => installPackages(TOOLS));

  it('makes a request for createPet that the service accepts each time it is sent', async () => {
    const request = await importCreatePet();
    const sent = request.header.filter(({ disabled }) => disabled !== true);
    expect(sent.map(({ key }) => key)).not.to.include('Idempotency-Key');
    const { url } = await startService();
    const headers = Object.fromEntries(sent.map(({ key, value }) => [key, value]));
    for (const id of [1, 2]) {
      const answer = await fetch(`${url}/${request.url.path.join('/')}`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${KEY}` },
        body: request.body?.raw ?? '',
      });
      expect(answer.status, await answer.clone().text()).to.equal(201);
      expect(await answer.json()).to.have.property('id', id);
    }
  });

  it('never gives two people the same Idempotency-Key, even with other settings', async () => {
    for (const parametersResolution of ['Example', 'Schema']) {
      const keys = [];
      for (let people = 0; people < 2; people++) {
        const { header } = await importCreatePet({ parametersResolution });
        keys.push(header.find(({ key }) => key === 'Idempotency-Key')?.value);
      }
      expect(keys[0], parametersResolution).not.to.equal(keys[1]);
    }
  });
});

function requestsOf(items: readonly Item[]): readonly Request[] {
  return items.flatMap(({ item = [], request }) => [...requestsOf(item), ...(request === undefined ? [] : [request])]);
}

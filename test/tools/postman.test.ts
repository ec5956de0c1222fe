import { expect } from 'chai';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.js';
import { KEY, readDocument, startService, TOOLS } from './tools.js';

interface Field {
  readonly key: string;
  readonly value: string;
}

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly path: readonly string[] };
    readonly header: readonly Field[];
    readonly body?: { readonly raw?: string };
  };
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

describe('the OpenAPI document, imported by Postman', function () {
  this.timeout(120_000);

  it('gives a request for createPet that the service accepts', async () => {
    installPackages(TOOLS);
    const { text } = await readDocument();
    const { convertV2 } = createRequire(join(TOOLS, 'package.json'))('openapi-to-postmanv2') as Converter;
    // By its other setting, Postman writes placeholders such as "<long>" for the user to fill in.
    const options = { parametersResolution: 'Example' };
    const { output } = await new Promise<Conversion>((resolve, reject) => {
      convertV2({ type: 'json', data: JSON.parse(text) }, options, (error, conversion) => {
        if (conversion.result) resolve(conversion);
        else reject(error ?? new Error(conversion.reason));
      });
    });
    const [{ data: collection }] = output;
    expect(collection.auth.type).to.equal('bearer');
    const request = requestsOf(collection.item).find(({ method }) => method === 'POST');

    const { url } = await startService();
    const headers = Object.fromEntries((request?.header ?? []).map(({ key, value }) => [key, value]));
    const answer = await fetch(`${url}/${request?.url.path.join('/')}`, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${KEY}` },
      body: request?.body?.raw ?? '',
    });
    expect(answer.status, await answer.text()).to.equal(201);
  });
});

function requestsOf(items: readonly Item[]): readonly NonNullable<Item['request']>[] {
  return items.flatMap(({ item = [], request }) => [...requestsOf(item), ...(request === undefined ? [] : [request])]);
}

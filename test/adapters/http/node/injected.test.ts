import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import inject from 'light-my-request';
import serverless from 'serverless-http';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../../../src/adapters/http/node/listener.js';
import { inMemory, KEY } from '../../../support/in-memory-interface.js';

/** A request without a connection. */
interface Injected {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface InjectedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

type Inject = (handler: RequestListener, request: Injected) => Promise<InjectedAnswer>;

interface ServerlessAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The libraries that give a handler requests and responses without a connection. */
const INJECTORS: Readonly<Record<string, Inject>> = {
  'light-my-request': async (handler, { method, path, headers, body }) => {
    const answer = await inject(handler, {
      method: method as 'GET',
      url: path,
      ...(headers && { headers }),
      ...(body !== undefined && { payload: body }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
  },
  'serverless-http': async (handler, { method, path, headers = {}, body }) => {
    const event = {
      version: '2.0',
      rawPath: path,
      rawQueryString: '',
      headers,
      requestContext: { http: { method, sourceIp: '127.0.0.1' } },
      ...(body !== undefined && { body, isBase64Encoded: false }),
    };
    // A function alone is a framework, too, though the types leave it out.
    const run = serverless(handler);
    const { statusCode, headers: fields, body: text } = (await run(event, {})) as ServerlessAnswer;
    return { status: statusCode, headers: fields, text };
  },
  'fetch-to-node': async (handler, { method, path, headers = {}, body = null }) => {
    const { req, res } = toReqRes(new Request(`http://127.0.0.1${path}`, { method, headers, body }));
    handler(req, res);
    const answer = await toFetchResponse(res);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  },
};

const HANDLERS: Readonly<Record<string, (options: HttpInterfaceOptions) => RequestListener>> = {
  'the Koa application': (options) => createApp(options).callback(),
  'the Koa application with additional middleware': (options) =>
    createApp(options)
      .use(async (_ctx, next) => next())
      .callback(),
  'the listener on Node': (options) => createListener(createHttpInterface(options)),
};

for (const [injector, ask] of Object.entries(INJECTORS)) {
  for (const [what, createHandler] of Object.entries(HANDLERS)) {
    describe(`${what}, given requests by ${injector}`, () => {
      let handler: RequestListener;
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

      beforeEach(() => {
        handler = createHandler(inMemory());
      });

      it('creates and lists an animal', async () => {
        const body = '{"name":"Zoë","categoryId":9223372036854775807}';
        const created = await ask(handler, { method: 'POST', path: '/v1/pets', headers, body });
        expect([created.status, created.headers['location']]).to.deep.equal([201, '/v1/pets/1']);
        const { status, headers: fields, text } = await ask(handler, { method: 'GET', path: '/v1/pets', headers });
        expect([status, text]).to.deep.equal([200, '[{"id":1,"name":"Zoë","categoryId":9223372036854775807}]']);
        expect(fields['content-type']).to.equal('application/json; charset=utf-8');
        expect(fields['content-length']).to.equal('57');
      });

      it('answers a HEAD without a body', async () => {
        const { status, text } = await ask(handler, { method: 'HEAD', path: '/v1/pets', headers });
        expect([status, text]).to.deep.equal([200, '']);
      });

      it('refuses a body that is too large', async () => {
        const body = ' '.repeat(65_537);
        expect((await ask(handler, { method: 'POST', path: '/v1/pets', headers, body })).status).to.equal(413);
      });

      it('answers 304 to a client that has a file already', async () => {
        const { headers: fields } = await ask(handler, { method: 'GET', path: '/openapi.json' });
        const known = { 'if-none-match': String(fields['etag']) };
        const { status, text } = await ask(handler, { method: 'GET', path: '/openapi.json', headers: known });
        expect([status, text]).to.deep.equal([304, '']);
      });
    });
  }
}

describe('the listener on Node, given a request whose body is cut off', () => {
  it('answers 400', async () => {
    const options: inject.InjectOptions = {
      method: 'POST',
      url: '/v1/pets',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      payload: '{"name":',
      simulate: { end: false, split: false, error: false, close: true },
    };
    const { statusCode, payload } = await inject(createListener(createHttpInterface(inMemory())), options);
    expect(statusCode).to.equal(400);
    expect(payload).to.include('ended before its body was complete');
  });
});

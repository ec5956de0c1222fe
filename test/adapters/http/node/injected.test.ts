import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import inject from 'light-my-request';
import serverless from 'serverless-http';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { createListener } from '../../../../src/adapters/http/node/listener.js';
import { inMemory, KEY, requestTo, type Sent } from '../../../support/in-memory-interface.js';
import { HANDLERS } from '../handlers.js';

interface InjectedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface ServerlessAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The libraries that give a handler requests and responses without a connection. */
const INJECTORS: Readonly<Record<string, (handler: RequestListener, request: Request) => Promise<InjectedAnswer>>> = {
  'light-my-request': async (handler, request) => {
    const { statusCode, headers, payload } = await inject(handler, {
      method: request.method as 'GET',
      url: request.url,
      headers: Object.fromEntries(request.headers),
      payload: await request.text(),
    });
    return { status: statusCode, headers, text: payload };
  },
  'serverless-http': async (handler, request) => {
    const event = {
      version: '2.0',
      rawPath: new URL(request.url).pathname,
      rawQueryString: '',
      headers: Object.fromEntries(request.headers),
      requestContext: { http: { method: request.method, sourceIp: '127.0.0.1' } },
      body: await request.text(),
    };
    // A function alone is a framework, too, though the types leave it out.
    const { statusCode, headers, body } = (await serverless(handler)(event, {})) as ServerlessAnswer;
    return { status: statusCode, headers, text: body };
  },
  'fetch-to-node': async (handler, request) => {
    const { req, res } = toReqRes(request);
    handler(req, res);
    const answer = await toFetchResponse(res);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  },
};

for (const [injector, ask] of Object.entries(INJECTORS)) {
  for (const [what, createHandler] of Object.entries(HANDLERS)) {
    describe(`${what}, given requests by ${injector}`, () => {
      let handler: RequestListener;
      const send = async (path: string, sent?: Sent): Promise<InjectedAnswer> => ask(handler, requestTo(path, sent));

      beforeEach(() => {
        handler = createHandler(inMemory());
      });

      it('creates and lists an animal', async () => {
        const created = await send('/v1/pets', { body: '{"name":"Zoë","categoryId":9223372036854775807}' });
        expect([created.status, created.headers['location']]).to.deep.equal([201, '/v1/pets/1']);
        const { status, headers, text } = await send('/v1/pets');
        expect([status, text]).to.deep.equal([200, '[{"id":1,"name":"Zoë","categoryId":9223372036854775807}]']);
        expect(headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(headers['content-length']).to.equal('57');
      });

      it('answers a HEAD without a body', async () => {
        const { status, text } = await send('/v1/pets', { method: 'HEAD' });
        expect([status, text]).to.deep.equal([200, '']);
      });

      it('refuses a body that is too large', async () => {
        expect((await send('/v1/pets', { body: ' '.repeat(65_537) })).status).to.equal(413);
      });

      it('answers 304 to a client that has a file already', async () => {
        const { headers } = await send('/openapi.json');
        const { status, text } = await send('/openapi.json', { headers: { 'if-none-match': String(headers['etag']) } });
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

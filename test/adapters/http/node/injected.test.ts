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
    const response = (await serverless(handler)(event, {})) as InjectedAnswer & { statusCode: number; body: string };
    return { status: response.statusCode, headers: response.headers, text: response.body };
  },
  'fetch-to-node': async (handler, request) => {
    const { req, res } = toReqRes(request);
    handler(req, res);
    const response = await toFetchResponse(res);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  },
};

for (const [injector, ask] of Object.entries(INJECTORS)) {
  for (const [what, createHandler] of Object.entries(HANDLERS)) {
    it(`${what} creates, lists, refuses and sends files, given requests by ${injector}`, async () => {
      const handler = createHandler(inMemory());
      const send = async (path: string, sent?: Sent): Promise<InjectedAnswer> => ask(handler, requestTo(path, sent));

      const created = await send('/v1/pets', { body: '{"name":"Zoë","categoryId":9223372036854775807}' });
      expect([created.status, created.headers['location']]).to.deep.equal([201, '/v1/pets/1']);
      const { status, headers, text } = await send('/v1/pets');
      expect([status, text]).to.deep.equal([200, '[{"id":1,"name":"Zoë","categoryId":9223372036854775807}]']);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['content-length']).to.equal('57');
      const head = await send('/v1/pets', { method: 'HEAD' });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect((await send('/v1/pets', { body: ' '.repeat(65_537) })).status).to.equal(413);
      const etag = String((await send('/openapi.json')).headers['etag']);
      const known = await send('/openapi.json', { headers: { 'if-none-match': etag } });
      expect([known.status, known.text]).to.deep.equal([304, '']);
    });
  }
}

it('the listener on Node answers 400 to an injected request whose body is cut off', async () => {
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

import compression from 'compression';
import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import morgan from 'morgan';
import { inMemory, KEY } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { createHttpServer } from '../../../../src/adapters/http/server/http-server.js';
import { HANDLERS } from '../handlers.js';

/** Middleware that replaces members of the response, and what it adds to a response. */
const MIDDLEWARE: Readonly<Record<string, { handler: () => RequestHandler; adds: string }>> = {
  'morgan 1.10.0': { handler: () => morgan('tiny', { stream: { write: () => undefined } }), adds: 'Date' },
  'compression 1.7.4': { handler: () => compression({ threshold: 0 }), adds: 'Vary' },
  'express-session': {
    handler: () => session({ secret: 'a secret', resave: false, saveUninitialized: true }),
    adds: 'Set-Cookie',
  },
  helmet: { handler: () => helmet(), adds: 'Content-Security-Policy' },
};

for (const [name, { handler, adds }] of Object.entries(MIDDLEWARE)) {
  describe(`the interface in an Express application, behind ${name}`, () => {
    for (const [what, answering] of Object.entries(HANDLERS)) {
      it(`lists, creates and refuses by ${what}, with the fields of both`, async () => {
        const whole = express();
        // Otherwise this field of Express itself would hide that others listen.
        whole.disable('x-powered-by');
        whole.use(handler());
        whole.use(answering(inMemory()));
        const port = await listenOnFreePort(createHttpServer(whole));
        const authorization = `Bearer ${KEY}`;
        const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
          fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization }, ...init });

        const headers = { authorization, 'content-type': 'application/json' };
        const created = await ask('/v1/pets', { method: 'POST', headers, body: '{"name":"Rex","categoryId":7}' });
        expect([created.status, created.headers.get('Location')]).to.deep.equal([201, '/v1/pets/1']);
        const listed = await ask('/v1/pets');
        expect(await listed.json()).to.deep.equal([{ id: 1, name: 'Rex', categoryId: 7 }]);
        expect(listed.headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
        expect(listed.headers.has(adds)).to.equal(true);
        expect((await ask('/v1/pets', { headers: {} })).status).to.equal(401);
        expect((await ask('/docs', { method: 'HEAD' })).status).to.equal(200);
        const known = { 'if-none-match': (await ask('/openapi.json')).headers.get('ETag') ?? '' };
        expect((await ask('/openapi.json', { headers: known })).status).to.equal(304);
      });
    }
  });
}

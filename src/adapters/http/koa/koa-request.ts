import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { parsedBody, type ParsedRequest } from '../node/parsed-body.js';
import { readBody } from '../node/read-body.js';
import type { HttpRequest } from '../request.js';
import { mountPathOf } from '../target.js';

/** The request of Koa's context, whose target is in origin form. */
export function koaRequest(ctx: Context): HttpRequest {
  const { method, path, querystring: query, req, originalUrl } = ctx;
  return {
    method,
    path,
    query,
    rawHeaders: req.rawHeaders,
    mountPath: mountPathOf(originalUrl, path),
    readBody: async (limit) => parsedBody(req, leftoversOf(ctx), limit) ?? readBody(req, limit),
  };
}

/** What body parsers left on Koa's request, or else on Node's. */
function leftoversOf({ request, req }: Context): ParsedRequest {
  const byKoa = request as ParsedRequest;
  const isParsed = byKoa.rawBody !== undefined || byKoa.body !== undefined;
  return isParsed ? byKoa : (req);
}

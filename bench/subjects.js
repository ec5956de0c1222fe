/**
 * In which ways a server's answers may differ from Animal Store's. Each one is looked for before the clock starts: one that
 * is not listed here ends the run, and so does one that is listed and no longer there.
 */
export const DIFFERENCES = {
  messages: "the text of an error's message",
  integers: 'integers beyond 2^53 are rounded or refused',
  headers: 'no header field beyond Content-Type, and that one perhaps without a charset',
  form: 'errors that the framework itself finds have a form of its own',
};

const PLAIN = ['messages', 'integers', 'headers'];

/**
 * The servers that are measured: what the report calls them, the file in `servers/` that starts them, and how their answers
 * may differ.
 *
 * @typedef {{ name: string, title: string, differences: readonly (keyof typeof DIFFERENCES)[] }} Subject
 * @type {readonly Subject[]}
 */
export const SUBJECTS = [
  { name: 'ours', title: 'Animal Store', differences: [] },
  { name: 'ours-mounted', title: 'Animal Store, mounted in Koa', differences: [] },
  { name: 'ours-fetch', title: 'Animal Store, Fetch', differences: [] },
  { name: 'fastify-same', title: 'Fastify 5, same answers', differences: ['messages', 'integers'] },
  { name: 'bare', title: 'node:http', differences: PLAIN },
  { name: 'fastify', title: 'Fastify 5', differences: PLAIN },
  { name: 'hono', title: 'Hono on @hono/node-server', differences: PLAIN },
  { name: 'koa', title: 'Koa 3 with koa-bodyparser', differences: PLAIN },
  { name: 'nest-fastify', title: 'NestJS 12 on Fastify', differences: [...PLAIN, 'form'] },
  { name: 'express', title: 'Express 5', differences: PLAIN },
  { name: 'nest-express', title: 'NestJS 12 on Express', differences: [...PLAIN, 'form'] },
];

/** The server that all others are compared with. */
export const OURS = SUBJECTS[0];

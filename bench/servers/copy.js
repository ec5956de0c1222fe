import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import process from 'node:process';

/** Not the server's own to send again. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive']);

/**
 * Node's own server and no package, with answers that it has asked another server for at its start: header fields, and a Buffer.
 * `COPIED` says which, a JSON object: the origin of the other server, and the paths.
 */
export async function start() {
  const { origin, paths } = JSON.parse(process.env['COPIED']);
  const answers = new Map(await Promise.all(paths.map(async (path) => [path, await answerOf(origin + path)])));
  const server = createServer(({ url }, response) => {
    const { headers, body } = answers.get(url);
    response.writeHead(200, headers).end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

async function answerOf(url) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name)));
  return { headers, body: Buffer.from(await answer.arrayBuffer()) };
}

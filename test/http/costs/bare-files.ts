/**
 * A server of Node alone, with a copy of answers of another one in Buffers: `bare-files.ts ORIGIN PATH…`. Prints the port that
 * it listens on.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The header fields that Node sets by itself. */
const OF_NODE = ['connection', 'date', 'keep-alive'];

const [origin = '', ...paths] = process.argv.slice(2);
const answers = new Map(
  await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } });
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_NODE.includes(name)));
      return [path, { headers, body: Buffer.from(await answer.arrayBuffer()) }] as const;
    }),
  ),
);
const server = createServer(({ url = '' }, response) => {
  const { headers, body } = answers.get(url) ?? {};
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

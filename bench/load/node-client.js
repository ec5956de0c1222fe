/**
 * Sends requests without a body by Node's own client: `node node-client.js ORIGIN CONNECTIONS SECONDS REQUESTS`, the last one as
 * JSON. Prints what it has seen, as JSON.
 */
import { Agent, request as send } from 'node:http';
import process from 'node:process';

const [origin, connections, seconds, requestsText] = process.argv.slice(2);
const requests = JSON.parse(requestsText);
const agent = new Agent({ keepAlive: true });
const latencies = [];
let failures = 0;
let latest = 0;

async function client(end) {
  while (performance.now() < end) {
    latest = (latest + 1) % requests.length;
    const start = performance.now();
    const status = await statusOf(requests[latest]);
    latencies.push(performance.now() - start);
    if (status < 200 || status > 299) failures++;
  }
}

function statusOf({ method, path, headers }) {
  return new Promise((resolve, reject) => {
    send(origin + path, { method, headers, agent }, (response) => {
      response.on('end', () => resolve(response.statusCode)).resume();
    })
      .on('error', reject)
      .end();
  });
}

const start = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, () => client(start + seconds * 1000)));
const elapsed = (performance.now() - start) / 1000;
agent.destroy();
const sorted = latencies.toSorted((a, b) => a - b);
const percentile = (share) => sorted[Math.floor(share * (sorted.length - 1))] * 1000;
console.log(
  JSON.stringify({
    requests: latencies.length,
    seconds: elapsed,
    failures,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }),
);

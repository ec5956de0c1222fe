/**
 * Sends `HEAD` requests, each as soon as the answer before it has come on its connection, which it reads without a parser of
 * HTTP: `node head-client.js HOST PORT CONNECTIONS SECONDS REQUESTS`, the last ones as JSON, texts as they are sent. Prints what
 * it has seen, as JSON.
 */
import { connect } from 'node:net';
import process from 'node:process';

const [host, port, connections, seconds, texts] = process.argv.slice(2);
const requests = JSON.parse(texts);
const latencies = [];
let failures = 0;
let next = 0;

const start = performance.now();
const end = start + seconds * 1000;
await Promise.all(Array.from({ length: Number(connections) }, client));
const elapsed = (performance.now() - start) / 1000;

latencies.sort((a, b) => a - b);
const percentile = (share) => latencies[Math.floor(share * (latencies.length - 1))] * 1000;
const [p50, p99] = [percentile(0.5), percentile(0.99)];
console.log(JSON.stringify({ requests: latencies.length, seconds: elapsed, failures, p50, p99 }));

function client() {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), noDelay: true }, send);
    let received = '';
    let sentAt = 0;

    function send() {
      received = '';
      sentAt = performance.now();
      socket.write(requests[next++ % requests.length]);
    }

    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      if (!received.endsWith('\r\n\r\n')) return;
      latencies.push(performance.now() - sentAt);
      if (!received.startsWith('HTTP/1.1 2')) failures++;
      if (performance.now() < end) send();
      else socket.end(resolve);
    });
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('the server has closed the connection')));
  });
}

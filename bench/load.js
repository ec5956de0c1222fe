import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

/** The header fields of a request. @param {import('./scenarios.js').Request} request */
export function fieldsOf({ key, body }) {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { Authorization: `Bearer ${key}`, ...json };
}

/**
 * Sends the requests of a scenario in turn, over connections that each wait for an answer before they send again. It parses no
 * more of an answer than its status and its length, so that it costs less than any server, and keeps it busy.
 *
 * Rejects if an answer has another status than that of the scenario.
 *
 * @param {number} port
 * @param {import('./scenarios.js').Scenario} scenario
 * @param {{ connections?: number, seconds?: number, count?: number }} limits It ends after so many seconds, or requests.
 * @returns {Promise<number>} How many requests were answered.
 */
export async function sendLoad(port, { name, requests, status }, { connections = 32, seconds = 60, count = Infinity }) {
  const texts = requests.map((request) => textOf(request, port));
  const end = performance.now() + seconds * 1000;
  const start = `HTTP/1.1 ${status} `;
  let sent = 0;
  let answered = 0;

  async function client() {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    let received = '';
    const send = () => {
      if (sent < count && performance.now() < end) return socket.write(texts[sent++ % texts.length]);
      socket.removeAllListeners('end');
      return socket.end();
    };
    socket.on('end', () => socket.destroy(new Error(`${name}: the server has closed a connection`)));
    // Bytes as characters, so that their lengths are the same.
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      const body = received.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
      if (received.length < body + length) return;
      if (!received.startsWith(start)) return socket.destroy(new Error(`${name}: ${received}`));
      answered++;
      received = '';
      return send();
    });
    send();
    await once(socket, 'close');
  }

  await Promise.all(Array.from({ length: connections }, client));
  return answered;
}

function textOf(request, port) {
  const { method, path, body = '' } = request;
  const fields = { Host: `127.0.0.1:${port}`, ...fieldsOf(request), 'Content-Length': Buffer.byteLength(body) };
  if (body === '') delete fields['Content-Length'];
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

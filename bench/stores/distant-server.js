/**
 * Puts a distance before a MongoDB server on this machine, until SIGTERM, and prints the URL to use instead: `node --import
 * tsx stores/distant-server.js URL MILLISECONDS`, the time of a round trip. The server may not ask for a password.
 */
import { ConnectionString } from 'mongodb-connection-string-url';
import process from 'node:process';
import { startTcpProxy } from '../../test/support/tcp-proxy.ts';

const [url, milliseconds] = process.argv.slice(2);
const [host] = new ConnectionString(url).hosts;
const match = /^(?:127\.0\.0\.1|localhost)(?::(\d+))?$/.exec(host);
if (match === null) throw new TypeError(`the server must be on 127.0.0.1, not on ${host}`);
const [, port = '27017'] = match;
const proxy = await startTcpProxy(Number(port));
proxy.delay(Number(milliseconds) / 2);
process.on('SIGTERM', () => process.exit(0));
console.log(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);

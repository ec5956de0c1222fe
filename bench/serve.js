/**
 * Runs one server until its parent ends it: `node serve.js NAME`, with the number of animals in `ANIMALS` and of clients in
 * `CLIENTS`. Prints the port that it listens on.
 */
import process from 'node:process';
import { ANIMALS, CLIENTS, keyOf } from './animals.js';

const [name] = process.argv.slice(2);
const count = Number(process.env['ANIMALS'] ?? ANIMALS);
const clients = Number(process.env['CLIENTS'] ?? CLIENTS);
const keys = Array.from({ length: clients }, (_, client) => keyOf(client));

const { start } = await import(`./servers/${name}.js`);
console.log(await start({ count, keys }));

/**
 * Runs one server until its parent ends it: `node serve.js NAME`, with the number of animals in `ANIMALS` and of keys in
 * `KEYS`. Prints the port that it listens on.
 */
import process from 'node:process';
import { ANIMALS, KEY } from './animals.js';

const [name] = process.argv.slice(2);
const count = Number(process.env['ANIMALS'] ?? ANIMALS);
const others = Number(process.env['KEYS'] ?? 1) - 1;
const keys = [...Array.from({ length: others }, (_, i) => `${KEY}-${i}`), KEY];

const { start } = await import(`./servers/${name}.js`);
console.log(await start({ count, keys }));

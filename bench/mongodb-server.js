/** Runs a MongoDB server, one of those that the tests run on, until it is killed. Prints its name and its URL as JSON. */
import process from 'node:process';
import { shareServer } from '../test/support/mongodb-server.ts';

const stop = await shareServer();
process.once('SIGTERM', () => void stop().then(() => process.exit()));
console.log(`server: ${process.env['ANIMAL_STORE_TEST_SERVER']}`);

/** Runs a PostgreSQL server, one of those that the tests run on, until it is killed. Prints its URL. */
import process from 'node:process';
import { sharePostgres } from '../test/support/postgres.ts';

const stop = await sharePostgres();
process.once('SIGTERM', () => void stop().then(() => process.exit()));
console.log(`server: ${process.env['ANIMAL_STORE_TEST_POSTGRES']}`);

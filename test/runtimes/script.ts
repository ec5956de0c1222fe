import { runUnitTests } from './unit-tests.js';

/** For runtimes that run scripts: prints the results as JSON. */
console.log(JSON.stringify(await runUnitTests()));

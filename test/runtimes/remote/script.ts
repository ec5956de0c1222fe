import { useRemoteStore } from './use-remote-store.js';

/** For runtimes that run scripts: takes the address and the key as arguments, and prints the results as JSON. */
const [url = '', key = ''] = process.argv.slice(2);
console.log(JSON.stringify(await useRemoteStore(url, key)));

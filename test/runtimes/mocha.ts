import 'mocha/mocha.js';

/** Mocha's build for browsers makes itself global. */
const { Mocha: BrowserMocha } = globalThis as unknown as { readonly Mocha: typeof Mocha };

/** Runs the tests that are declared from now on, on any runtime. It reports nothing. */
export const mocha = new BrowserMocha({ reporter: BrowserMocha.reporters.Base, timeout: 60_000 });

// Makes the functions of its interface global.
mocha.suite.emit('pre-require', globalThis, '', mocha);

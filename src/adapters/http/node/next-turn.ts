import { setImmediate } from 'node:timers';

/**
 * Calls back in the next turn of the event loop. Not the global `setImmediate`: test runners replace that, and the member of
 * `node:timers`, by a fake that never calls back by itself. This is taken when the module is loaded.
 */
export const nextTurn = setImmediate;

import { setImmediate } from 'node:timers';

/**
 * Calls back in the next turn of the event loop. Captured when this module is loaded, because test runners replace the global
 * `setImmediate`, and the member of `node:timers`, with a fake that never calls back by itself.
 */
export const nextTurn = setImmediate;

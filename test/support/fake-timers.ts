// Node's `fetch` loads it at the first request. Loaded under fake timers, it keeps them, and no later test of this process could use it.
import 'node:http2';
import { mock } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { endWithTest } from './cleanup.js';

/** Ways to install fake timers, which nobody advances, until the test ends. Jest, Vitest and Sinon use @sinonjs/fake-timers. */
export const FAKE_TIMERS: Readonly<Record<string, () => void>> = {
  'mock.timers of node:test': () => {
    mock.timers.enable();
    endWithTest(() => mock.timers.reset());
  },
  '@sinonjs/fake-timers': () => {
    // As Vitest has it. Jest fakes these two, too, but in a realm of its own, in which Node does not run.
    const clock = FakeTimers.install({ toNotFake: ['nextTick', 'queueMicrotask'] });
    endWithTest(() => clock.uninstall());
  },
};

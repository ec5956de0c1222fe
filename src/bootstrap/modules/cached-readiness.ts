import type { ReadinessCheck } from '../tokens.js';

/** How long an answer is reused, in milliseconds. */
const AGE_MS = 1000;

/** A readiness check that asks at most once a second, however often it is called. */
export function cachedReadiness(ask: () => Promise<boolean>): ReadinessCheck {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer === undefined || performance.now() - askedAt >= AGE_MS) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}

import type { ReadinessCheck } from '../tokens.js';

/** How long an answer holds, in milliseconds. */
const AGE_MS = 1000;

/** A check of readiness that asks once a second at most, however often it is called. */
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

/**
 * The unit tests that need nothing but JavaScript and the modules that all runtimes have. The import of Mocha comes first: it
 * makes `describe` and `it` global.
 */
import { mocha } from './mocha.js';
import '../domain/api-keys/api-key-text.test.js';
import '../domain/api-keys/api-key.test.js';
import '../domain/call-outcome.test.js';
import '../domain/errors.test.js';
import '../domain/int64.test.js';
import '../domain/idempotency-key.test.js';
import '../domain/parse-pet.test.js';
import '../domain/pet-name.test.js';
import '../domain/pet-status.test.js';
import '../domain/pet-to-json.test.js';
import '../domain/pet.test.js';
import '../application/all-pets.test.js';
import '../application/animal-store.test.js';
import '../application/create-pet-once.test.js';
import '../application/api-keys/api-key-manager.test.js';
import '../application/create-pet.test.js';
import '../application/moving/import-pets.test.js';
import '../application/moving/restore-store.test.js';
import '../application/get-pet.test.js';
import '../application/list-pets.test.js';
import '../application/signals.test.js';
import '../adapters/in-memory/in-memory-api-keys.test.js';
import '../adapters/in-memory/in-memory-pet-catalogue.test.js';

/** How the tests ended. */
export interface Results {
  /** The full titles of the tests that passed, in their order. */
  readonly passed: string[];
  /** The full titles of the others, each with its error. */
  readonly failed: string[];
}

/** Runs the tests; resolves when all have ended. */
export async function runUnitTests(): Promise<Results> {
  const results: Results = { passed: [], failed: [] };
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve(results));
    runner.on('pass', (test) => results.passed.push(test.fullTitle()));
    runner.on('fail', (test, error: Error) =>
      results.failed.push(`${test.fullTitle()}: ${error.stack ?? error.message}`),
    );
  });
}

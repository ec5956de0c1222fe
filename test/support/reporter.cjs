'use strict';

const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

/**
 * Mocha's own reporter, which also writes the counts, the failures, the titles of skipped tests, and the files that have ended to
 * the file that TEST_RESULTS names.
 */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const failures = [];
    const skips = [];
    const files = new Set();
    const write = (isComplete) => {
      const results = JSON.stringify({ ...counts, failures, skips, isComplete, files: [...files] });
      writeFileSync(process.env.TEST_RESULTS, results);
    };
    const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_SUITE_END, EVENT_RUN_END } = Runner.constants;
    runner.on(EVENT_TEST_PASS, () => counts.passed++);
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      counts.failed++;
      failures.push({ title: test.fullTitle(), file: test.file, message: error.message });
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      counts.skipped++;
      skips.push(test.fullTitle());
    });
    for (const event of [EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING]) {
      runner.on(event, ({ file }) => files.add(file));
    }
    runner.on(EVENT_SUITE_END, () => write(false));
    runner.on(EVENT_RUN_END, () => write(true));
    write(false);
  }
};

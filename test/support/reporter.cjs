'use strict';

const { reporters, Runner } = require('mocha');

/** What `skip` of `skip.ts` appends to a title. */
const REASON = / \[skipped: (.+)\]/;

/**
 * Mocha's own reporter, which also prints the skipped tests by their reasons, before the failures, and ends with the line
 * `N passed, N failed, N skipped`.
 */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = new Map();
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => {
      const title = test.fullTitle();
      const [, reason = 'no reason is given'] = REASON.exec(title) ?? [];
      skipped.set(reason, [...(skipped.get(reason) ?? []), title.replace(REASON, '')]);
    });
    this.skipped = skipped;
  }

  epilogue() {
    for (const [reason, titles] of this.skipped) {
      console.log(`Skipped: ${reason}`);
      for (const title of titles) console.log(`  - ${title}`);
    }
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
};

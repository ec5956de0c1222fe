/** A reporter for node:test: a line of JSON for each result, without the errors, whose diffs would take a minute. */
export default async function* resultsReporter(source) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    yield `${JSON.stringify({ name: data.name, nesting: data.nesting, passed: type === 'test:pass' })}\n`;
  }
}

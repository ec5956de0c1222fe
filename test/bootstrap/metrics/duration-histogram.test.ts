import { expect } from 'chai';
import { DurationHistogram } from '../../../src/bootstrap/metrics/duration-histogram.js';
import { Metrics } from '../../support/metrics.js';

const NAME = 'call_duration_seconds';

describe('DurationHistogram', () => {
  let histogram: DurationHistogram;

  beforeEach(() => (histogram = new DurationHistogram(NAME, 'How long a call took.', ['method', 'status'])));

  const read = (): Metrics => new Metrics(histogram.text());

  /** How many of the durations given, in milliseconds, are in the bucket up to a bound in seconds. */
  const upTo = (le: string, ...durations: number[]): number => {
    for (const duration of durations) histogram.series('GET', 200).record(duration);
    return read().value(`${NAME}_bucket`, { le });
  };

  it('counts a duration in each bucket from its own bound on', () => {
    expect(upTo('0.0025', 3)).to.equal(0);
    for (const le of ['0.005', '0.01', '10', '+Inf']) expect(upTo(le), le).to.equal(1);
  });

  it('counts a duration that equals a bound in the bucket up to that bound', () => {
    expect(upTo('0.005', 5)).to.equal(1);
  });

  it('counts a duration beyond every bound in the last bucket alone', () => {
    expect(upTo('10', 10_001)).to.equal(0);
    expect(upTo('+Inf')).to.equal(1);
  });

  it('sums durations in seconds', () => {
    for (const duration of [250, 1500]) histogram.series('GET', 200).record(duration);
    expect(read().value(`${NAME}_sum`)).to.equal(1.75);
    expect(read().value(`${NAME}_count`)).to.equal(2);
  });

  it('keeps a series for each combination of labels', () => {
    histogram.series('GET', 200).record(1);
    histogram.series('GET', 404).record(1);
    histogram.series('GET', 200).record(1);
    expect(read().value(`${NAME}_count`, { method: 'GET', status: '200' })).to.equal(2);
    expect(read().value(`${NAME}_count`, { method: 'GET', status: '404' })).to.equal(1);
    expect(histogram.text().match(/_count\{/g)).to.have.length(2);
  });
});

import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { startCommand } from '../support/command.js';
import { request, send } from '../support/request.js';
import { GRAPHS, RULES } from './queries.js';

const KEY = 'a-key-of-more-than-16';

const QUERIES = [
  ...RULES.map(({ alert, expr }) => [alert, expr] as const),
  ...GRAPHS.map((query) => [query, query] as const),
];

/** A metric in a query, and the labels that the query names of it. */
interface Use {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Whether a query is well-formed PromQL, and what it reads. */
function analyse(query: string): { readonly isWellFormed: boolean; readonly uses: readonly Use[] } {
  let isWellFormed = true;
  const uses: { metric: string; labels: string[] }[] = [];
  parser.parse(query).iterate({
    enter({ type, from, to }) {
      if (type.isError) isWellFormed = false;
      if (type.name === 'Identifier') uses.push({ metric: query.slice(from, to), labels: [] });
      if (type.name === 'LabelName') uses.at(-1)?.labels.push(query.slice(from, to));
    },
  });
  return { isWellFormed, uses };
}

describe('the queries for Prometheus', () => {
  let metrics: string;

  before(async () => {
    const server = await startCommand(['--metrics-port', '0'], { API_KEYS: `anna:${KEY}` });
    const url = await server.find(() => /http:\/\/\S+\/metrics/.exec(server.stdout)?.[0]);
    await request(server.port, 'GET', '/v1/pets', { key: KEY });
    await request(server.port, 'POST', '/v1/pets', { key: KEY, body: `"${'x'.repeat(100_000)}"` });
    metrics = (await send(url)).text;
  });

  it('are there: alerts and graphs', () => {
    expect(RULES.length).to.be.greaterThan(5);
    expect(GRAPHS.length).to.be.greaterThan(5);
  });

  for (const [name, query] of QUERIES) {
    it(`are well-formed, and about metrics that the server has: ${name}`, () => {
      const { isWellFormed, uses } = analyse(query);
      expect(isWellFormed, query).to.equal(true);
      expect(uses).not.to.have.lengthOf(0);
      for (const { metric, labels } of uses.filter((each) => each.metric !== 'up')) {
        const series = metrics
          .split('\n')
          .filter((line) => line.startsWith(metric) && /^[{ ]/.test(line.slice(metric.length)));
        const isDeclared = metrics.includes(`# TYPE ${metric} `);
        expect(series.length > 0 || isDeclared, metric).to.equal(true);
        // Prometheus itself adds the labels job and instance.
        for (const label of labels.filter((each) => each !== 'job')) expect(series.join('\n')).to.include(`${label}="`);
      }
    });
  }
});

import parsePrometheusTextFormat, { type Family } from 'parse-prometheus-text-format';
import { send } from './request.js';

/** The metrics of a server at one time. */
export class Metrics {
  readonly #text: string;
  /** The parser drops the labels of histograms, so this holds `…_bucket`, `…_sum` and `…_count` as metrics of their own. */
  readonly #untyped: readonly Family[];

  /** @throws Error if the text is not of the format of Prometheus. */
  constructor(text: string) {
    this.#text = text;
    this.#untyped = parsePrometheusTextFormat(text.replaceAll(/^# TYPE .* histogram$/gm, ''));
  }

  /** Every metric, with its type. */
  get families(): readonly Family[] {
    return parsePrometheusTextFormat(this.#text);
  }

  /** The sum of the values of the series of a metric that have these labels; 0 if there are none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const matching = this.#seriesOf(name).filter((each) =>
      Object.entries(labels).every(([label, value]) => each.labels?.[label] === value),
    );
    return matching.reduce((sum, { value }) => sum + Number(value), 0);
  }

  /** Every value that a label of a metric has, in order. */
  labels(name: string, label: string): string[] {
    return [...new Set(this.#seriesOf(name).flatMap(({ labels }) => labels?.[label] ?? []))].sort();
  }

  #seriesOf(name: string): Family['metrics'] {
    return this.#untyped.filter((family) => family.name === name).flatMap(({ metrics }) => metrics);
  }
}

/** Fetches and parses metrics. */
export async function metricsAt(url: string): Promise<Metrics> {
  const response = await send(url);
  if (response.status !== 200) throw new Error(`no metrics, but ${response.status}`);
  return new Metrics(response.body.toString());
}

/**
 * The upper bounds of the buckets, in seconds. Answers from memory take tens of microseconds, those from a database
 * milliseconds, and a request that waits for a silent one 5 seconds.
 */
const BOUNDS = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The values of the labels of a duration, in the order of their names. They must need no escaping. */
type LabelValues = readonly (string | number)[];

/** The durations with the same labels. */
export class DurationSeries {
  /** How many durations lie between each bound and the one before; last, how many lie beyond all. */
  readonly #counts = BOUNDS.map(() => 0).concat(0);
  #sum = 0;
  readonly labels: LabelValues;

  constructor(labels: LabelValues) {
    this.labels = labels;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count);
  }

  record(milliseconds: number): void {
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Infinity)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += seconds;
  }

  /** The lines of the text format. */
  lines(name: string, labelNames: readonly string[]): string[] {
    const labels = labelNames.map((labelName, i) => `${labelName}="${String(this.labels[i])}"`).join();
    let count = 0;
    const buckets = this.#counts.map((own, i) => {
      count += own;
      return `${name}_bucket{${labels},le="${BOUNDS[i] ?? '+Inf'}"} ${count}`;
    });
    return [...buckets, `${name}_sum{${labels}} ${this.#sum}`, `${name}_count{${labels}} ${count}`];
  }
}

/** A tree of maps, one level for each label. Joining the values to one key for each duration costs more. */
interface Branch {
  readonly below: Map<string | number, Branch>;
  series?: DurationSeries;
}

/**
 * A histogram of durations for Prometheus. It stands in for that of prom-client, which makes an object and a text of the
 * labels for each duration: with up to three durations a request, that would slow the service by a tenth (ADR 51).
 */
export class DurationHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #labelNames: readonly string[];
  readonly #byLabels: Branch = { below: new Map() };
  readonly #all: DurationSeries[] = [];

  /** @param name Ends in `_seconds`. */
  constructor(name: string, help: string, labelNames: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#labelNames = labelNames;
  }

  series(...labels: LabelValues): DurationSeries {
    let branch = this.#byLabels;
    for (const label of labels) {
      let next = branch.below.get(label);
      if (next === undefined) branch.below.set(label, (next = { below: new Map() }));
      branch = next;
    }
    return (branch.series ??= this.#add(labels));
  }

  #add(labels: LabelValues): DurationSeries {
    const series = new DurationSeries(labels);
    this.#all.push(series);
    return series;
  }

  /** How many durations have labels that match. */
  count(matches: (labels: LabelValues) => boolean): number {
    return this.#all.reduce((sum, series) => (matches(series.labels) ? sum + series.count : sum), 0);
  }

  /** The whole histogram in the text format of Prometheus. */
  text(): string {
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    const lines = this.#all.flatMap((series) => series.lines(this.#name, this.#labelNames));
    return `${[...head, ...lines].join('\n')}\n`;
  }
}

declare module 'parse-prometheus-text-format' {
  /** A metric with all its series. Values are text, as they stand in the format. */
  export interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>;
      /** Left out for histograms. */
      readonly value?: string;
    }[];
  }

  /** @throws Error for a line that is not of the format. */
  export default function parsePrometheusTextFormat(text: string): Family[];
}

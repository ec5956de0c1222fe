/** Counts of what a load has seen so far, which can be waited for. */
export class Counts<What extends string> {
  readonly #counts = new Map<What, number>();
  readonly #waiting = new Set<{ readonly what: What; readonly target: number; readonly resolve: () => void }>();

  of(what: What): number {
    return this.#counts.get(what) ?? 0;
  }

  add(what: What): void {
    this.#counts.set(what, this.of(what) + 1);
    for (const waiter of this.#waiting) {
      if (this.of(waiter.what) < waiter.target) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  /** Resolves once so many more have been counted. */
  async next(what: What, count: number): Promise<void> {
    const target = this.of(what) + count;
    await new Promise<void>((resolve) => this.#waiting.add({ what, target, resolve }));
  }
}

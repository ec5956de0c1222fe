/** The middle of some numbers; between the two in the middle if their count is even. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of some numbers and their smallest and greatest: `1.31 [1.28–1.35]`. */
export function medianAndSpread(numbers, digits = 2) {
  const text = median(numbers).toFixed(digits);
  if (numbers.length < 2) return text;
  return `${text} [${Math.min(...numbers).toFixed(digits)}–${Math.max(...numbers).toFixed(digits)}]`;
}

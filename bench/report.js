/** The middle of some numbers; between the two in the middle if their count is even. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of some numbers and their smallest and greatest: `1.31 [1.28–1.35]`. */
export function medianAndSpread(numbers, digits) {
  const text = median(numbers).toFixed(digits);
  if (numbers.length < 2) return text;
  return `${text} [${Math.min(...numbers).toFixed(digits)}–${Math.max(...numbers).toFixed(digits)}]`;
}

/** A table in Markdown, its columns aligned. */
export function markdownTable(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length), 3));
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

/** The cells of each row before the last one, in one text, padded so that the last cells are aligned. */
export function leadingColumns(rows: readonly (readonly string[])[]): string[] {
  const heads = rows.map((row) => row.slice(0, -1));
  const widthOf = (column: number): number => Math.max(...heads.map((head) => head[column]?.length ?? 0));
  return heads.map((head) => head.map((cell, column) => `${cell.padEnd(widthOf(column))}  `).join(''));
}

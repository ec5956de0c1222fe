/** Whether a write failed because a unique key, such as `_id`, is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 11000;
}

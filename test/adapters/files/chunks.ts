/** A file of this content, in chunks of a size, and empty ones, that all share their memory, as those of some streams do. */
export async function* chunksOf(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  const memory = Buffer.alloc(size);
  for (let start = 0; start < bytes.length; start += size) {
    yield memory.subarray(0, bytes.copy(memory, 0, start, start + size));
    yield memory.subarray(0, 0);
    memory.fill(0x21);
  }
}

/** Every value of a generator. */
export async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

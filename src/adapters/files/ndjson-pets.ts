import { JsonError, parseJson } from '../../json/parse-json.js';
import type { NewPetInput } from '../../domain/pet.js';
import { BYTE_ORDER_MARK, linesOf } from './lines.js';
import { NEW_PET_MEMBERS, type FilePet, type FilePetsOptions } from './new-pets.js';

/** The maximum number of unknown members that are reported, because each line may have different ones. */
const IGNORED_MAX = 20;

/**
 * The animals of an NDJSON file: one JSON object per line, as `POST /pets` accepts it. Skips empty lines, and ignores a byte
 * order mark.
 *
 * Rejects as `linesOf` does.
 */
export async function* ndjsonPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  const ignored = new Set<string>();
  let line = 0;
  for await (const whole of linesOf(chunks)) {
    line++;
    const text = line === 1 && whole.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole;
    if (text.trim() === '') continue;
    const read = petIn(text);
    for (const member of Object.keys(read.input ?? {})) {
      if (NEW_PET_MEMBERS.has(member) || ignored.has(member) || ignored.size === IGNORED_MAX) continue;
      ignored.add(member);
      onIgnored?.(member);
    }
    yield { line, text, ...read };
  }
}

function petIn(text: string): Pick<FilePet, 'input' | 'fault'> {
  try {
    const value = parseJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { input: value as NewPetInput } : { fault: 'must be a JSON object' };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { fault: error.message };
  }
}

import type { NewPetInput } from '../../domain/pet.js';
import { JsonError, parseJson } from '../../json/parse-json.js';
import { errorInLine, FileError, linesOf } from './lines.js';
import { checkPet, lookUpMember, quoted, type FilePet, type FilePetsOptions } from './new-pets.js';

/** The maximum number of unknown members that are told, because each line may have different ones. */
const IGNORED_MAX = 20;

/**
 * The animals of an NDJSON file: one JSON object on each line, as `POST /pets` accepts it. Skips empty lines. A line has a fault
 * if a member's name is that of an animal's member but for case, white space and invisible characters.
 *
 * Rejects with a `FileError` if no line has a text, or if the first one that does begins an array or an object of several lines;
 * and as `linesOf` does.
 */
export async function* ndjsonPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  const ignored = new Set<string>();
  let isFirst = true;
  for await (const { number: line, text } of linesOf(chunks)) {
    if (text.trim() === '') continue;
    if (isFirst && /^\s*\[|[[{,]\s*$/.test(text)) {
      throw errorInLine(line, 'begins an array, or JSON that spans several lines: write one object a line');
    }
    isFirst = false;
    const parsed = objectIn(text);
    if ('fault' in parsed) {
      yield { line, fault: parsed.fault };
      continue;
    }
    const misspelt: string[] = [];
    for (const member of Object.keys(parsed.object)) {
      const found = lookUpMember(member);
      if (typeof found === 'object') misspelt.push(found.misspelt);
      if (found !== 'unknown' || ignored.has(member) || ignored.size === IGNORED_MAX) continue;
      ignored.add(member);
      onIgnored?.(quoted(member));
    }
    if (misspelt.length > 0) yield { line, fault: misspelt.join('; ') };
    else yield { line, ...checkPet(parsed.object) };
  }
  if (isFirst) throw new FileError('the file has no animals: it is empty');
}

function objectIn(text: string): { readonly object: NewPetInput } | { readonly fault: string } {
  try {
    const value = parseJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { object: value as NewPetInput } : { fault: 'must be a JSON object' };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { fault: error.message };
  }
}

import type { NewPetInput } from '../../domain/pet.js';
import { JsonError, parseJson } from '../../lossless-json/parse-json.js';
import { errorInLine, FileError, linesOf } from './lines.js';
import { checkPet, memberLike, misspelt, quoted, type FilePet, type FilePetsOptions } from './new-pets.js';

/** The maximum number of unknown members that are reported: each line may have different ones. */
const IGNORED_MAX = 20;

/**
 * One JSON object on each line, as `POST /pets` accepts it. A misspelt member is a fault of its line. Rejects with a `FileError` if no
 * line has a text, or if the first one that does begins an array or an object of several lines.
 */
export async function* ndjsonPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  const ignored = new Set<string>();
  let isFirst = true;

  function petOf(text: string): ReturnType<typeof checkPet> {
    // A symbol, because every other type has values of its own in JSON.
    const value = parseJson(text, (number) => Symbol(number));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'must be a JSON object' };
    const faults: string[] = [];
    for (const name of Object.keys(value)) {
      const member = memberLike(name);
      if (member !== undefined && member !== name) faults.push(misspelt(name, member));
      if (member !== undefined || ignored.has(name) || ignored.size === IGNORED_MAX) continue;
      ignored.add(name);
      onIgnored?.(quoted(name));
    }
    return faults.length > 0 ? { fault: faults.join('; ') } : checkPet(value as NewPetInput);
  }

  for await (const lines of linesOf(chunks)) {
    for (const { number: line, text } of lines) {
      if (text.trim() === '') continue;
      if (isFirst && /^\s*\[|[[{,]\s*$/.test(text)) {
        throw errorInLine(line, 'begins an array, or JSON that spans several lines: write one object per line');
      }
      isFirst = false;
      try {
        yield { line, ...petOf(text) };
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        yield { line, fault: error.message };
      }
    }
  }
  if (isFirst) throw new FileError('the file has no animals: it is empty');
}

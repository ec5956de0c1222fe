/** The pieces of a `Link` header field: a target, a quoted string, a separator, or a word. */
const TOKEN = /[ \t]*(?:<([^>]*)>|"((?:[^"\\]|\\.)*)"|([,;=])|([^ \t<",;=]+))/y;

/**
 * The target of the first link with the relation `next` in a `Link` header field (RFC 8288). Reads several fields, joined with
 * commas as the Fetch API joins them, as one.
 *
 * @returns `undefined` if there is none, or if the field is malformed before it.
 */
export function nextLink(field: string): string | undefined {
  let target: string | undefined;
  let parameter: string | undefined;
  /** The separator before the piece. */
  let separator: string | undefined;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(field); token !== null; token = TOKEN.exec(field)) {
    const [, link, quoted, mark, word] = token;
    if (mark !== undefined) {
      separator = mark;
      if (mark === ',') target = undefined;
      continue;
    }
    const value = quoted ?? word;
    if (link !== undefined) target = link;
    else if (separator === ';') parameter = word?.toLowerCase();
    else if (separator === '=' && parameter === 'rel' && target !== undefined) {
      const relations = value?.toLowerCase().split(/[ \t]/);
      if (relations?.includes('next')) return target;
    }
  }
  return undefined;
}

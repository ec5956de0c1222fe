const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const PARAMETER = `(${TOKEN})=(${TOKEN}|${QUOTED})`;

const JSON_TYPE = new RegExp(`^application/json((?:[ \\t]*;[ \\t]*(?:${PARAMETER})?)*)[ \\t]*$`, 'i');
const EACH_PARAMETER = new RegExp(PARAMETER, 'g');

/**
 * Whether a `Content-Type` is `application/json`, with a `charset` of utf-8 or without one (RFC 9110, section 8.3.1).
 * Other parameters are ignored. A malformed one, or a second `charset`, makes it another type.
 */
export function isUtf8Json(contentType: string): boolean {
  const parameters = JSON_TYPE.exec(contentType)?.[1];
  if (parameters === undefined) return false;
  const charsets = [...parameters.matchAll(EACH_PARAMETER)].filter(([, name = '']) => name.toLowerCase() === 'charset');
  return charsets.length <= 1 && charsets.every(([, , value = '']) => unquoted(value).toLowerCase() === 'utf-8');
}

/** The text of a token or of a quoted string (RFC 9110, section 5.6.4). */
function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

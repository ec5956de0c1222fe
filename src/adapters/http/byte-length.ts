const encoder = new TextEncoder();

/** The length of a text in UTF-8, in bytes. Node, Bun and Deno count without encoding the text. */
export const byteLength: (text: string) => number =
  typeof Buffer === 'undefined' ? (text) => encoder.encode(text).length : (text) => Buffer.byteLength(text);

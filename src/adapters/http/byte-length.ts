const encoder = new TextEncoder();

/** How many bytes a text takes in UTF-8. Node, Bun and Deno count them without encoding the text. */
export const byteLength: (text: string) => number =
  typeof Buffer === 'undefined' ? (text) => encoder.encode(text).length : (text) => Buffer.byteLength(text);

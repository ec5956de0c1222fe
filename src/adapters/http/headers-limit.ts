/**
 * The greatest size of a header section, in bytes. It counts the request line, and of each field the name, the colon, the
 * value and the line end; not the white space around a value, which the parser drops.
 */
export const HEADERS_MAX_BYTES = 16_384;

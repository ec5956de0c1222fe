/** Names at the edges of the rules for their characters; none has a lone surrogate, of which a pattern cannot tell. */
export const EDGE_NAMES: readonly string[] = [
  // No character but white space.
  '',
  ' ',
  '\t\n\v\f\r ',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  '\u2028',
  '\u2029',
  '\u202f\u205f',
  '\u3000',
  // Characters that some languages count as white space or as invisible, but Unicode does not count as White_Space.
  '\u001c',
  '\u180e',
  '\u200b',
  '\ufeff',
  // U+0000.
  '\0',
  'a\0',
  ' \0a',
  'a\0\n',
  // White space around another character, line ends among it.
  ' a',
  '\u3000a\u2028',
  'a\n',
  '\na\r\n',
  // Beyond U+FFFF.
  '😀',
];

/**
 * Measures readers in each shape that may hurt, in user CPU time. Prints each shape as a line of JSON before it is measured, so
 * that one that never ends can be named, and `done: TEXT` after the last one of a reader. Ends with exit code 1 after the first
 * shape of which a character costs more in a longer text.
 *
 * Arguments: what the readers read.
 */
import { READERS, type Piece, type Reader } from './readers.js';

/** The lengths to compare, as parts of the greatest one: an exploding cost is noticed before it takes too long. */
const PARTS = [1 / 256, 1 / 64, 1 / 16, 1 / 4, 1];
/** The greatest header section that the server takes. Other servers take less. */
const HEADER = 16_384;
/** How many times as much a character may cost in a text that is 16 times as long: caches are smaller than a long text. */
const GROWTH_LIMIT = 4;
/** A character that costs less, in nanoseconds, is not compared: to look at a thousand others for each one costs more. */
const CHEAP_NS = 200;
/** A time that the CPU clock measures accurately enough, in microseconds. */
const ENOUGH = 3000;
/** A machine that is busy otherwise makes some costs look higher than they are. A cost that is high each time counts. */
const ATTEMPTS = 6;

const BEGINS = [''];
const PIECES: readonly Piece[] = [...'a0 \t,;:="\\/?&%.-[{'];
const ENDS = ['', '\0'];

interface Shape {
  readonly begin: string;
  readonly piece: Piece;
  readonly end: string;
}

/** The shapes of a reader's text: every beginning with every piece, and the reader's own pieces with its own ends, too. */
function* shapesOf({ begins, pieces, ends }: Reader): Generator<Shape> {
  for (const begin of [...BEGINS, ...begins]) {
    for (const piece of PIECES) for (const end of ENDS) yield { begin, piece, end };
    for (const piece of pieces) for (const end of [...ENDS, ...ends]) yield { begin, piece, end };
  }
}

/** A text of about a length: the beginning, the piece again and again, the end. */
function textOf({ begin, piece, end }: Shape, length: number): string {
  const pieces = [begin];
  for (let i = 0, left = length - begin.length - end.length; left > 0; i++) {
    const next = typeof piece === 'string' ? piece : piece(i);
    pieces.push(next);
    left -= next.length;
  }
  return pieces.join('') + end;
}

/** How many microseconds of user CPU time a call takes, at the mean of so many calls that the clock tells them well. */
async function costOf(read: Reader['read'], text: string, enough = ENOUGH): Promise<number> {
  for (let calls = 1; ; calls *= 4) {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) await read(text);
    const { user } = process.cpuUsage(before);
    if (user >= enough) return user / calls;
  }
}

/** How many nanoseconds a character of a text costs. */
async function costOfCharacter(read: Reader['read'], text: string, enough?: number): Promise<number> {
  return ((await costOf(read, text, enough)) * 1000) / text.length;
}

/** How many times as much a character costs in the larger text, at the least of some attempts; 0 if it costs little. */
async function growthOf(read: Reader['read'], small: string, large: string): Promise<number> {
  for (let i = 0; i < 2; i++) if ((await costOfCharacter(read, large, 0)) < CHEAP_NS) return 0;
  let growth = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && growth > GROWTH_LIMIT; attempt++) {
    growth = Math.min(growth, (await costOfCharacter(read, large)) / (await costOfCharacter(read, small)));
  }
  return growth;
}

/** The greatest growth of the cost of a character between two lengths of a shape, of which one is 16 times the other. */
async function worstGrowthOf({ read, largest = HEADER }: Reader, shape: Shape): Promise<number> {
  const texts = PARTS.map((part) => textOf(shape, largest * part));
  let worst = 0;
  for (let i = 2; i < texts.length && worst <= GROWTH_LIMIT; i++) {
    worst = await growthOf(read, texts[i - 2] as string, texts[i] as string);
  }
  return worst;
}

for (const text of process.argv.slice(2)) {
  const reader = READERS[text];
  if (reader === undefined) throw new Error(`nothing reads ${text}`);
  for (const shape of shapesOf(reader)) {
    const { begin, piece, end } = shape;
    console.log(JSON.stringify({ begin, piece: typeof piece === 'string' ? piece : piece(0), end }));
    if ((await worstGrowthOf(reader, shape)) > GROWTH_LIMIT) process.exit(1);
  }
  console.log(`done: ${text}`);
}

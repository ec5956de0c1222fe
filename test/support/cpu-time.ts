import { outputOfScript } from './run-script.js';

/** What {@link cpuTimeOf} measures; each text is code. */
export interface MeasuredCall {
  /** The source file, as a path from the root, and the function that it exports. */
  readonly from: string;
  readonly name: string;
  /** The argument of the function. It is made before the clock starts. */
  readonly argument: string;
}

/** A machine that is busy otherwise, the compiler and the garbage collector make a call dearer, so the cheapest counts. */
const CALLS = 5;

/**
 * How much user CPU time the cheapest of some calls takes in a new process, in milliseconds. The process is killed when the
 * test ends, so a call that never returns fails the test by its time-out.
 */
export async function cpuTimeOf({ from, name, argument }: MeasuredCall): Promise<number> {
  const output = await outputOfScript(`import { ${name} } from './${from}';
const argument = ${argument};
let least = Infinity;
for (let i = 0; i < ${CALLS}; i++) {
  const before = process.cpuUsage();
  ${name}(argument);
  least = Math.min(least, process.cpuUsage(before).user);
}
console.log(least);`);
  return Number(output) / 1000;
}

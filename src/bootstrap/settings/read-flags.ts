import { parseArgs } from 'node:util';
import { flagOf, type Settings } from './setting.js';
import { suggestion } from './suggestion.js';

/** The contents of a command line. */
export interface CommandLine {
  /** The text of each known flag that is given; the empty text for a switch. */
  readonly flags: ReadonlyMap<string, string>;
  /** The arguments that belong to no flag, in order. */
  readonly positionals: readonly string[];
  /** One line for each error. */
  readonly errors: readonly string[];
}

/** Reads the flags of some settings, and the positional arguments, from the arguments of a command. */
export function readFlags(settings: Settings, args: readonly string[]): CommandLine {
  const known = new Map(
    Object.values(settings).flatMap((each) => (each.flag === undefined ? [] : [[each.flag, each]])),
  );
  const options = Object.fromEntries(
    [...known].map(([flag, { type }]) => [
      flag,
      { type: type === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const flags = new Map<string, string>();
  const positionals: string[] = [];
  const errors: string[] = [];
  let followsUnknownFlag = false;
  let last: number | undefined;
  for (const token of tokens) {
    // parseArgs splits `-abc` into three flags with the same index: report the first only.
    if (token.index === last) continue;
    last = token.index;
    // Treat the argument after an unknown flag as the flag's value.
    if (token.kind === 'positional' && !followsUnknownFlag) positionals.push(token.value);
    followsUnknownFlag = token.kind === 'option' && !known.has(token.name) && token.value === undefined;
    if (token.kind !== 'option') continue;
    const setting = known.get(token.name);
    if (setting === undefined) errors.push(unknownFlag(token, settings, [...known.keys()]));
    else if (setting.type === undefined) {
      if (token.value === undefined) flags.set(token.name, '');
      else errors.push(`${token.rawName} takes no value`);
    } else if (token.value === undefined || (token.value.startsWith('--') && !token.inlineValue)) {
      errors.push(`${token.rawName} must have a value`);
    } else flags.set(token.name, token.value);
  }
  return { flags, positionals, errors };
}

function unknownFlag(
  { name, rawName }: { readonly name: string; readonly rawName: string },
  settings: Settings,
  flags: readonly string[],
): string {
  const error = `${rawName} is not a flag of this command`;
  const secret = Object.values(settings).find(({ variable }) => variable !== undefined && flagOf(variable) === name);
  if (secret !== undefined) return `${error}: set ${secret.variable} in the environment`;
  return error + suggestion(name, [...flags, 'help'], '--');
}

/** The options and variables that say what Node does with warnings, or with some of them. */
const OPTION = /^--(?:trace|redirect|no|disable)-warnings?\b|^--trace-deprecation$/;
const VARIABLES = ['NODE_NO_WARNINGS', 'NODE_REDIRECT_WARNINGS'];

/**
 * Replaces the listener with which Node prints warnings, and drops the warning that node:sqlite is experimental on Node 22 and 24.
 * Changes nothing if somebody else listens, too, or has told Node what to do with warnings.
 */
export function listenToWarnings(listener: (warning: Error, print: (warning: Error) => void) => void): void {
  const [print, other] = process.listeners('warning');
  if (print === undefined || other !== undefined || isToldOtherwise()) return;
  process.off('warning', print);
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning' || !warning.message.includes('SQLite')) listener(warning, print);
  });
}

function isToldOtherwise(): boolean {
  const options = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  // Node reads an underscore within the name of an option as a hyphen.
  const isOption = options.some((option) => OPTION.test(option.replaceAll('_', '-')));
  return isOption || VARIABLES.some((name) => process.env[name] !== undefined);
}

/**
 * Checks types and lint, as `tsc` and `eslint .` do, and whether every source that reads texts is on the list of readers, but parses
 * and type-checks the files once for all. Prints what they find, and then ends with exit code 1.
 */
import { ESLint } from 'eslint';
import { tsImport } from 'tsx/esm/api';
import ts from 'typescript';

const host = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getNewLine: () => ts.sys.newLine,
};
const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic(diagnostic) {
    throw new Error(ts.formatDiagnostic(diagnostic, host));
  },
});
const { fileNames: rootNames, options, errors: configFileParsingDiagnostics } = config;
const program = ts.createProgram({ rootNames, options, configFileParsingDiagnostics });
const diagnostics = ts.getPreEmitDiagnostics(program);
process.stdout.write(ts.formatDiagnostics(diagnostics, host));

const { faultsOfReaders } = await tsImport('../test/http/costs/unlisted-readers.ts', import.meta.url);
const faults = faultsOfReaders(program);
for (const fault of faults) console.log(fault);

const parserOptions = { projectService: false, programs: [program] };
const eslint = new ESLint({ overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } } });
const results = await eslint.lintFiles('.');
const { format } = await eslint.loadFormatter();
process.stdout.write(await format(results));

if (diagnostics.length > 0 || faults.length > 0 || results.some(({ errorCount }) => errorCount > 0))
  process.exitCode = 1;

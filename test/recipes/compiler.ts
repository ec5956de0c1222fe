import { join } from 'node:path';
import ts from 'typescript';

/** The errors of the compiler in a folder, a line each. */
export type Compiler = () => string;

/**
 * Compiles the sources of a folder, which must have no error. Returns a compiler for changes of a file or two since then, which
 * looks again at only what a change affects.
 */
export function makeCompiler(folder: string): Compiler {
  const { fileNames, options } = configurationOf(folder);
  const host = ts.createIncrementalCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const known = new Map<string, ts.SourceFile | undefined>();
  host.getSourceFile = (file, ...rest) => {
    const source = known.get(file);
    if (source === undefined || source.text !== ts.sys.readFile(file)) known.set(file, read(file, ...rest));
    return known.get(file);
  };
  const compile = (
    old?: ts.SemanticDiagnosticsBuilderProgram,
  ): readonly [errors: string, program: ts.SemanticDiagnosticsBuilderProgram] => {
    const program = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, old);
    const diagnostics = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
    return [ts.formatDiagnostics(diagnostics, host), program];
  };
  const [errors, sound] = compile();
  if (errors !== '') throw new Error(errors);
  return () => compile(sound)[0];
}

function configurationOf(folder: string): ts.ParsedCommandLine {
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const options = { noEmit: true, incremental: true, tsBuildInfoFile: join(folder, '.tsbuildinfo') };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.build.json'), options, host);
  if (parsed === undefined) throw new Error(`${folder} has no tsconfig.build.json`);
  return parsed;
}

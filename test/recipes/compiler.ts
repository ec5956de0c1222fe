import { join } from 'node:path';
import ts from 'typescript';

/** The errors of the compiler in the files of the package, a line each. */
export type Compiler = () => string;

/**
 * Compiles the sources and the tests of a folder, which must have no error. Returns a compiler of the files of the package for
 * changes of a file or two since then, which looks again at only what a change affects.
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
  const isOfTests = ({ fileName }: ts.SourceFile): boolean =>
    fileName.startsWith(join(folder, 'test/')) && !fileName.startsWith(join(folder, 'test/contracts/'));
  const createProgram = (old?: ts.SemanticDiagnosticsBuilderProgram): ts.SemanticDiagnosticsBuilderProgram =>
    ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, old);
  const sound = createProgram();
  const errors = ts.formatDiagnostics([...sound.getSyntacticDiagnostics(), ...sound.getSemanticDiagnostics()], host);
  if (errors !== '') throw new Error(errors);
  return () => {
    const program = createProgram(sound);
    const diagnostics = [...program.getSyntacticDiagnostics()];
    const next = () => program.getSemanticDiagnosticsOfNextAffectedFile(undefined, isOfTests);
    for (let affected = next(); affected !== undefined; affected = next()) diagnostics.push(...affected.result);
    return ts.formatDiagnostics(diagnostics, host);
  };
}

function configurationOf(folder: string): ts.ParsedCommandLine {
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const options = { noEmit: true, incremental: true, tsBuildInfoFile: join(folder, '.tsbuildinfo') };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), options, host);
  if (parsed === undefined) throw new Error(`${folder} has no tsconfig.json`);
  return parsed;
}

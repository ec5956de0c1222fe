import ts from 'typescript';
import { ROOT } from '../support/child.js';

const GENERATED = 'src/adapters/http/operations/reference-files/';

/** Methods of a text that look at each of its characters, or may. */
const METHODS = new Set([
  'at',
  'charAt',
  'charCodeAt',
  'codePointAt',
  'includes',
  'indexOf',
  'isWellFormed',
  'lastIndexOf',
  'localeCompare',
  'match',
  'matchAll',
  'normalize',
  'replace',
  'replaceAll',
  'search',
  'split',
  'trim',
  'trimEnd',
  'trimStart',
]);
/** Functions and classes of the engine that parse a text, and what makes a regular expression of one. */
const FUNCTIONS = new Set([
  'atob',
  'BigInt',
  'decodeURI',
  'decodeURIComponent',
  'JSON.parse',
  'RegExp',
  'URL',
  'URL.canParse',
  'URLSearchParams',
]);

/**
 * Every file in `src` that reads a text: with a regular expression, character by character, or by a parser of the engine or of a
 * package. In alphabetical order.
 */
export function filesThatRead(): string[] {
  const { fileNames, options } = configuration();
  const program = ts.createProgram(
    fileNames.filter((file) => pathOf(file).startsWith('src/')),
    options,
  );
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of program.getSourceFiles()) {
    const path = pathOf(source.fileName);
    if (!path.startsWith('src/') || path.startsWith(GENERATED)) continue;
    if (readsText(source, checker)) found.push(path);
  }
  return found.sort();
}

function configuration(): ts.ParsedCommandLine {
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const parsed = ts.getParsedCommandLineOfConfigFile(`${ROOT}tsconfig.json`, {}, host);
  if (parsed === undefined) throw new Error('there is no tsconfig.json');
  return parsed;
}

function pathOf(file: string): string {
  return file.slice(ROOT.length).replaceAll('\\', '/');
}

/** Whether a piece of the syntax, or any piece in it, reads a text. */
function readsText(node: ts.Node, checker: ts.TypeChecker): boolean {
  return reads(node, checker) || ts.forEachChild(node, (child) => readsText(child, checker) || undefined) === true;
}

function reads(node: ts.Node, checker: ts.TypeChecker): boolean {
  const isText = (expression: ts.Expression): boolean => isTextual(checker.getTypeAtLocation(expression), checker);
  if (ts.isRegularExpressionLiteral(node)) return true;
  if (ts.isElementAccessExpression(node) || ts.isForOfStatement(node) || ts.isSpreadElement(node)) {
    return isText(node.expression);
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const { expression: callee, arguments: given = [] } = node;
  if (FUNCTIONS.has(callee.getText())) return true;
  if (ts.isPropertyAccessExpression(callee)) {
    return callee.name.text === 'decode' || (METHODS.has(callee.name.text) && isText(callee.expression));
  }
  return ts.isIdentifier(callee) && isOfPackage(callee, checker) && given.some(isText);
}

function isTextual(type: ts.Type, checker: ts.TypeChecker): boolean {
  const present = checker.getNonNullableType(type);
  return (present.isUnion() ? present.types : [present]).some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0);
}

/** Whether a name is imported from a package, or from a module of Node. */
function isOfPackage(name: ts.Identifier, checker: ts.TypeChecker): boolean {
  const declaration = checker.getSymbolAtLocation(name)?.declarations?.[0];
  if (declaration === undefined || !ts.isImportSpecifier(declaration)) return false;
  const { moduleSpecifier } = declaration.parent.parent.parent;
  return ts.isStringLiteral(moduleSpecifier) && !moduleSpecifier.text.startsWith('.');
}

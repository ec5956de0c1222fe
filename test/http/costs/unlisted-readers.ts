import ts from 'typescript';
import { ROOT } from '../../support/child.js';
import { NOT_OF_CLIENTS, READERS } from './readers.js';

const GENERATED = 'src/adapters/http/reference/files/';

/** Methods of a text that look at each of its characters, or may. */
const METHODS = new Set(
  `at charAt charCodeAt codePointAt includes indexOf isWellFormed lastIndexOf localeCompare match matchAll normalize replace
  replaceAll search split trim trimEnd trimStart`.split(/\s+/),
);
/** Functions and classes of the engine that parse a text, and what makes a regular expression of one. */
const FUNCTIONS = new Set(
  'atob BigInt decodeURI decodeURIComponent JSON.parse RegExp URL URL.canParse URLSearchParams'.split(' '),
);

/**
 * What is wrong with the list of the readers, a line each: files of the sources that read texts and are not on it, and files on it
 * that read none. `scripts/check-typescript.js` asks for it.
 *
 * @param program All sources.
 */
export function faultsOfReaders(program: ts.Program): string[] {
  const found = filesThatRead(program);
  const listed = [...Object.values(READERS).flatMap(({ files = [] }) => files), ...Object.keys(NOT_OF_CLIENTS)];
  const isOf = (file: string, path: string): boolean => (path.endsWith('/') ? file.startsWith(path) : file === path);
  return [
    ...found
      .filter((file) => !listed.some((path) => isOf(file, path)))
      .map(
        (file) =>
          `${file} reads texts: name it in test/http/costs/readers.ts, in READERS with the shapes that may cost it most, or in NOT_OF_CLIENTS with the reason`,
      ),
    ...listed
      .filter((path) => !found.some((file) => isOf(file, path)))
      .map((path) => `${path} reads no texts, but test/http/costs/readers.ts names it`),
  ];
}

/** Every file in `src` that reads a text: with a regular expression, character by character, or by a parser of the engine or of a package. */
function filesThatRead(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const isOfSources = (path: string): boolean => path.startsWith('src/') && !path.startsWith(GENERATED);
  return program
    .getSourceFiles()
    .filter((source) => isOfSources(pathOf(source.fileName)) && readsText(source, checker))
    .map(({ fileName }) => pathOf(fileName));
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

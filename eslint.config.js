import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * Members of Node and of the driver that their documents do not name: those that begin with an underscore, and these. The
 * `_id` of a document is no such member, nor is the mark of a module that was compiled to CommonJS.
 */
const UNDOCUMENTED =
  '/^_(?!id$|_esModule$)|^(fieldsAsRaw|getCurrentBuffer|httpAllowHalfOpen|kOnExecute|parser|toBSON)$/';

export default defineConfig(
  globalIgnores([
    'dist/',
    'src/adapters/http/reference/files/',
    'src/adapters/http/bodies/compiled/',
    'src/bootstrap/compiled/',
    'coverage/',
    'docs/api/',
    '.cache/',
    'test/package/stranger/',
    'test/tools/clients/',
  ]),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A port's method is async even if it awaits nothing, so that every error becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      // This rule asks for `!` instead of `as Pet`, but another rule refuses `!`.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // Spreading a string gives its code points.
      '@typescript-eslint/no-misused-spread': 'off',
      // Numbers and bigints read well in a message. Everything else must be converted to text explicitly.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals', checkTypePredicates: false },
      ],
      // An empty string often means that a value is missing.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // Values from a driver are converted, because the driver's types may be wrong.
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      // Objects made of closures may be destructured. A class with private members throws at once if `this` is lost.
      '@typescript-eslint/unbound-method': 'off',
      // Node documents more about a stream than its types state.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // `void` marks a value that is ignored on purpose.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // node:test awaits the promises that these functions return.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['describe', 'it', 'suite', 'test'] },
          ],
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: 'error',
      'no-console': ['error', { allow: ['log', 'warn', 'error'] }],
    },
  },
  {
    // Users compile these files with their own, often by Babel without targets, which turns `**` into a call of Math.pow.
    files: ['src/**/*.ts', 'test/contracts/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'BinaryExpression[operator="**"] > Literal[bigint], AssignmentExpression[operator="**="]',
          message: 'Write the bigint as a literal: compilers turn ** into Math.pow, which takes no bigint.',
        },
      ],
    },
  },
  {
    // Clients choose the texts that many of these see. test/http/linear-cost.test.ts times some.
    files: ['src/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // Test runners replace this global by a fake that never calls back.
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', 'setImmediate'] },
  },
  {
    // Nothing may depend on what a later version can change without a word.
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          `MemberExpression > Identifier.property[name=${UNDOCUMENTED}]`,
          `MemberExpression > Literal.property[value=${UNDOCUMENTED}]`,
          `Property > Identifier.key[name=${UNDOCUMENTED}]`,
          `MethodDefinition > Identifier.key[name=${UNDOCUMENTED}]`,
          `TSPropertySignature > Identifier.key[name=${UNDOCUMENTED}]`,
          `TSMethodSignature > Identifier.key[name=${UNDOCUMENTED}]`,
        ].map((selector) => ({ selector, message: 'This looks like a member that is not documented.' })),
      ],
    },
  },
  {
    // Answers of servers and child processes have no type.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: {
        clearTimeout: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        require: 'readonly',
        setTimeout: 'readonly',
        URL: 'readonly',
      },
    },
  },
  {
    // Browsers run this.
    files: ['src/adapters/http/reference/start.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        SwaggerUIBundle: 'readonly',
        document: 'readonly',
        matchMedia: 'readonly',
      },
    },
  },
  {
    // mongosh runs these.
    files: ['deploy/compose/*.js'],
    languageOptions: { globals: { connect: 'readonly', db: 'readonly', rs: 'readonly', sleep: 'readonly' } },
  },
);

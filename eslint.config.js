import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores([
    'dist/',
    'src/adapters/http/operations/reference-files/',
    'coverage/',
    'docs/api/',
    '.cache/',
    'test/package/stranger/',
  ]),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A port's method is async even where it awaits nothing, so that whatever it throws becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      // `as Pet` says what is there; `!`, which this rule would have instead, is refused by another.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // A string is spread to have its code points.
      '@typescript-eslint/no-misused-spread': 'off',
      // Numbers and bigints read well in a message; everything else has to be turned into text by hand.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals', checkTypePredicates: false },
      ],
      // An empty string often counts as nothing.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // What comes from a driver is converted, whatever its type promises.
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      // Objects made of closures are taken apart; a class with private members fails at once where `this` is lost.
      '@typescript-eslint/unbound-method': 'off',
      // Node promises more of a stream than its types do.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // `void` says that a value is dropped on purpose.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // node:test collects what these return by itself.
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
    // What servers and child processes answer has no type.
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
);

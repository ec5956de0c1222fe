/**
 * Compiles the schema of `NewPet` to a function that checks a parsed body, in `src/adapters/http/bodies/compiled`. The service
 * therefore generates no code when it runs: it starts faster, and works where that is forbidden, as in workers and under
 * `--disallow-code-generation-from-strings`. `npm ci` and `npm run build` run this script.
 */
import { fileURLToPath } from 'node:url';
import { writeIfChanged } from './write-if-changed.js';

if (process.env.npm_config_omit?.includes('dev')) {
  console.log('The schemas are not compiled, as development dependencies are left out.');
  process.exit();
}

const { _, Ajv } = await import('ajv');
const { default: standalone } = await import('ajv/dist/standalone/index.js');
const { tsImport } = await import('tsx/esm/api');
const { newPetSchema, petStatusSchema } = await tsImport('../src/adapters/http/bodies/schemas.ts', import.meta.url);

/** Keywords about the values in a body, not about its shape. The domain checks these rules, so Ajv does not. */
const KEYWORDS_OF_VALUES = ['enum', 'minLength', 'maxLength', 'pattern'];

/** Keywords of OpenAPI and of JSON Schema that are no rules. */
const ANNOTATIONS = ['examples'];

const ajv = new Ajv({ strict: true, messages: false, code: { source: true, esm: true, lines: true } });
for (const keyword of [...KEYWORDS_OF_VALUES, ...ANNOTATIONS]) ajv.removeKeyword(keyword).addKeyword(keyword);
ajv.addKeyword({
  keyword: 'isBigint',
  code: (context) => context.pass(_`typeof ${context.data} === "bigint"`),
});

/** The schema of a member. In a parsed body, an int64 is a `bigint`, which JSON Schema does not know. */
function ofParsed(schema) {
  return schema.format === 'int64' ? { isBigint: true } : schema;
}

const properties = Object.entries(newPetSchema.properties).map(([name, schema]) => [name, ofParsed(schema)]);
const schemas = { NewPet: { ...newPetSchema, properties: Object.fromEntries(properties) }, PetStatus: petStatusSchema };
// References in the schemas start at the root of the OpenAPI document.
ajv.addKeyword('components');
ajv.addSchema({ components: { schemas } }, 'openapi');
const code = standalone.default(ajv, { isShapedAsNewPet: 'openapi#/components/schemas/NewPet' });

const text = `// @ts-nocheck: scripts/compile-schemas.js has compiled this from the schema of NewPet by Ajv.\n${code}\n`;

const target = fileURLToPath(new URL('../src/adapters/http/bodies/compiled/new-pet.ts', import.meta.url));
writeIfChanged(target, text);

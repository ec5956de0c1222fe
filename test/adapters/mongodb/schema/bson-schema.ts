import { Ajv } from 'ajv';
import { BSON, type Document } from 'mongodb';

/** The keywords that MongoDB's manual lists for `$jsonSchema`, as far as the validators use them. */
const KEYWORDS = new Set(['bsonType', 'required', 'properties', 'enum', 'minimum', 'minLength', 'maxLength']);

/** The aliases that `bsonType` has for the types of the BSON library. */
const ALIASES: Readonly<Record<string, string>> = {
  Binary: 'binData',
  Decimal128: 'decimal',
  Double: 'double',
  Int32: 'int',
  Long: 'long',
  ObjectId: 'objectId',
};
const NUMBERS = ['int', 'long', 'double', 'decimal'];
const TYPES = [...Object.values(ALIASES), 'string', 'object', 'array', 'bool', 'null', 'date', 'number'];

/**
 * Judges documents by a `$jsonSchema`, as MongoDB does: Ajv with the keywords `bsonType` and `minimum` for the types of BSON.
 *
 * @throws Error for a keyword or a type that MongoDB does not know.
 */
export function compileBsonSchema(schema: Document): (document: Document) => boolean {
  checkKeywords(schema);
  const ajv = new Ajv({ strictTypes: false, strictRequired: false });
  ajv.removeKeyword('minimum');
  ajv.addKeyword({
    keyword: 'minimum',
    validate: (minimum: number, value: unknown) => !NUMBERS.includes(bsonTypeOf(value)) || Number(value) >= minimum,
  });
  ajv.addKeyword({
    keyword: 'bsonType',
    metaSchema: { anyOf: [{ enum: TYPES }, { type: 'array', items: { enum: TYPES } }] },
    validate: (expected: string | readonly string[], value: unknown) => {
      const type = bsonTypeOf(value);
      return [expected].flat().some((name) => name === type || (name === 'number' && NUMBERS.includes(type)));
    },
  });
  const validate = ajv.compile(schema);
  return (document) => validate(asStored(document));
}

/** The document as the server has it: each number with the type that the driver gives it. */
function asStored(document: Document): Document {
  const asIs = { promoteValues: false, promoteLongs: false, promoteBuffers: false };
  return BSON.deserialize(BSON.serialize(document), asIs);
}

function bsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  const { _bsontype: type } = value as { readonly _bsontype?: string };
  return type === undefined ? 'object' : (ALIASES[type] ?? type);
}

function checkKeywords(schema: Document): void {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) throw new Error(`MongoDB may not know the keyword ${unknown}`);
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Document>> };
  Object.values(properties).forEach(checkKeywords);
}

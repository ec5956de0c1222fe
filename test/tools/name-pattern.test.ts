import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPetSchema } from '../../src/adapters/http/bodies/schemas.js';
import { idempotencyKeySchema } from '../../src/adapters/http/operations/idempotency-key.js';
import { needs } from '../support/needs.js';
import { EDGE_NAMES } from '../support/edge-names.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { succeed } from './tools.js';

/** The patterns of the document, and texts at the edges of each: of a name, and of an `Idempotency-Key`. */
const PATTERNS: readonly (readonly [pattern: string, texts: readonly string[]])[] = [
  [newPetSchema.properties.name.pattern, EDGE_NAMES],
  [
    idempotencyKeySchema.pattern,
    ['', 'a', '[', ']', '~', ' ', 'a b', 'é', '"a"', '"["', '"\\"', '"\\\\"', '"', 'a"', '!'.repeat(255)],
  ],
];

/** Programs that get a pattern and texts in Base64, and print which texts it matches. */
const PYTHON = `
import re, sys
from base64 import b64decode
pattern, *texts = [b64decode(each).decode() for each in sys.argv[1:]]
print([1 if re.search(pattern, text) else 0 for text in texts])
`;
const JAVA = `
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

public class Main {
  public static void main(String[] args) {
    List<String> texts = Stream.of(args).map(each -> new String(Base64.getDecoder().decode(each), UTF_8)).toList();
    Pattern pattern = Pattern.compile(texts.get(0));
    System.out.println(texts.stream().skip(1).map(text -> pattern.matcher(text).find() ? 1 : 0).toList());
  }
}
`;

describe('the patterns in the OpenAPI document', () => {
  for (const [language, program, file, text] of [
    ['Python', 'python3', 'main.py', PYTHON],
    ['Java', 'java', 'Main.java', JAVA],
  ] as const) {
    it(`mean the same in ${language} as in the service`, async function () {
      needs(this, program, ['--version']);
      const main = join(makeTemporaryFolder(), file);
      writeFileSync(main, text);
      for (const [pattern, texts] of PATTERNS) {
        const given = [pattern, ...texts].map((each) => Buffer.from(each).toString('base64'));
        const matched = texts.map((each) => (new RegExp(pattern).test(each) ? 1 : 0));
        expect(JSON.parse(await succeed(program, [main, ...given]))).to.deep.equal(matched);
      }
    });
  }
});

import { expect } from 'chai';
import { newPetSchema } from '../../src/adapters/http/json/schemas.js';
import { idempotencyKeySchema } from '../../src/adapters/http/idempotency-key.js';
import { needs } from '../deploy/needs.js';
import { EDGE_NAMES } from '../support/edge-names.js';
import { installPython } from './install.js';
import { fileOf, run, runPython, type Outcome } from './tools.js';

/** Texts at the edges of the rule for an `Idempotency-Key`. */
const EDGE_KEYS = ['', 'a', '[', ']', '~', ' ', 'a b', 'é', '"a"', '"["', '"\\"', '"\\\\"', '"', 'a"', '!'.repeat(255)];

/** Of a name, and of an Idempotency-Key. */
const PATTERNS = [
  { pattern: newPetSchema.properties.name.pattern, texts: EDGE_NAMES },
  { pattern: idempotencyKeySchema.pattern, texts: EDGE_KEYS },
] as const;

/** A program that reads an array of {@link Given}, as JSON, in the file of its first argument, and prints which texts match. */
interface Language {
  readonly program: readonly [string, ...string[]];
  readonly match: (file: string) => Promise<Outcome>;
}

const PYTHON = (module: string): string => `
import json, sys
import ${module} as re
given = json.load(open(sys.argv[1], encoding='utf-8'))
print(json.dumps([[re.search(each['pattern'], text) is not None for text in each['texts']] for each in given]))
`;

/**
 * Java has no JSON: its program reads UTF-16 code units in hexadecimal, a line for each pattern and, each after a tabulator, its
 * texts.
 */
const JAVA = `
import java.nio.file.*;
import java.util.*;
import java.util.regex.Pattern;

public class Main {
  static String decode(String line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i += 4) text.append((char) Integer.parseInt(line.substring(i, i + 4), 16));
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    List<List<Boolean>> all = new ArrayList<>();
    for (String line : Files.readString(Path.of(args[0])).split("\\n")) {
      String[] texts = line.split("\\t", -1);
      Pattern pattern = Pattern.compile(decode(texts[0]));
      List<Boolean> matches = new ArrayList<>();
      for (String text : Arrays.copyOfRange(texts, 1, texts.length)) matches.add(pattern.matcher(decode(text)).find());
      all.add(matches);
    }
    System.out.println(all);
  }
}
`;

/** A pattern, and texts that it may match. */
interface Given {
  readonly pattern: string;
  readonly texts: readonly string[];
}

function jsonFile(given: readonly Given[]): string {
  return fileOf('given.json', JSON.stringify(given));
}

function hexFile(given: readonly Given[]): string {
  const units = (text: string): string =>
    Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('');
  const lines = given.map(({ pattern, texts }) => [pattern, ...texts].map(units).join('\t'));
  return fileOf('given.txt', lines.join('\n'));
}

const LANGUAGES: Readonly<Record<string, Language & { readonly write: (given: readonly Given[]) => string }>> = {
  "Python's re": {
    program: ['python3', '--version'],
    write: jsonFile,
    match: async (file) => run('python3', ['-c', PYTHON('re'), file]),
  },
  // Go has the same syntax.
  RE2: {
    program: ['python3', '-m', 'pip', '--version'],
    write: jsonFile,
    match: async (file) => runPython(['-c', PYTHON('re2'), file]),
  },
  Java: {
    program: ['javac', '-version'],
    write: hexFile,
    match: async (file) => run('java', [fileOf('Main.java', JAVA), file]),
  },
};

describe('the patterns in the OpenAPI document', function () {
  this.timeout(180_000);

  for (const [language, { program, write, match }] of Object.entries(LANGUAGES)) {
    it(`mean the same in ${language} as in the service`, async function () {
      const [name, ...args] = program;
      needs(this, name, args);
      if (language === 'RE2') await installPython();
      const { code, output } = await match(write(PATTERNS));
      expect(code, output).to.equal(0);
      const expected = PATTERNS.map(({ pattern, texts }) => texts.map((text) => new RegExp(pattern).test(text)));
      expect(JSON.parse(output)).to.deep.equal(expected);
    });
  }
});

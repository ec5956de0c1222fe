import { expect } from 'chai';
import { newPetSchema } from '../../src/adapters/http/json/schemas.js';
import { idempotencyKeySchema } from '../../src/adapters/http/operations/idempotency-key.js';
import { needs } from '../deploy/needs.js';
import { EDGE_NAMES } from '../support/edge-names.js';
import { fileOf, run, runPython, type Outcome } from './tools.js';

/** Texts at the edges of the rule for an `Idempotency-Key`. */
const EDGE_KEYS = ['', 'a', '[', ']', '~', ' ', 'a b', 'é', '"a"', '"["', '"\\"', '"\\\\"', '"', 'a"', '!'.repeat(255)];

/** A pattern, and texts that it may match. */
interface Given {
  readonly pattern: string;
  readonly texts: readonly string[];
}

/** Of a name, and of an Idempotency-Key. */
const PATTERNS: readonly Given[] = [
  { pattern: newPetSchema.properties.name.pattern, texts: EDGE_NAMES },
  { pattern: idempotencyKeySchema.pattern, texts: EDGE_KEYS },
];

const PYTHON = (module: string): string => `
import json, sys
import ${module} as re
given = json.load(open(sys.argv[1], encoding='utf-8'))
print(json.dumps([re.search(given['pattern'], text) is not None for text in given['texts']]))
`;

/** Java has no JSON, but its properties have the same escapes: `pattern`, and the texts by their index. */
const JAVA = `
import java.io.FileReader;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

public class Main {
  public static void main(String[] args) throws Exception {
    Properties given = new Properties();
    given.load(new FileReader(args[0]));
    Pattern pattern = Pattern.compile(given.getProperty("pattern"));
    IntStream texts = IntStream.range(0, given.size() - 1);
    System.out.println(texts.mapToObj(i -> pattern.matcher(given.getProperty("" + i)).find()).toList());
  }
}
`;

const jsonFile = (given: Given): string => fileOf('given.json', JSON.stringify(given));

function propertiesFile({ pattern, texts }: Given): string {
  const escaped = (text: string): string =>
    Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  const lines = Object.entries<string>({ pattern, ...texts }).map(([key, text]) => `${key}=${escaped(text)}`);
  return fileOf('given.properties', lines.join('\n'));
}

/** Programs that print, as JSON, which texts match: what each needs, and how it runs. */
const LANGUAGES: Readonly<
  Record<string, readonly [program: readonly [string, ...string[]], match: (given: Given) => Promise<Outcome>]>
> = {
  "Python's re": [['python3', '--version'], async (given) => run('python3', ['-c', PYTHON('re'), jsonFile(given)])],
  // Go has the same syntax.
  RE2: [['python3', '-m', 'pip', '--version'], async (given) => runPython(['-c', PYTHON('re2'), jsonFile(given)])],
  Java: [['javac', '-version'], async (given) => run('java', [fileOf('Main.java', JAVA), propertiesFile(given)])],
};

describe('the patterns in the OpenAPI document', () => {
  for (const [language, [[program, ...args], match]] of Object.entries(LANGUAGES)) {
    it(`mean the same in ${language} as in the service`, async function () {
      needs(this, program, args);
      for (const { pattern, texts } of PATTERNS) {
        const { code, output } = await match({ pattern, texts });
        expect(code, output).to.equal(0);
        expect(JSON.parse(output)).to.deep.equal(texts.map((text) => new RegExp(pattern).test(text)));
      }
    });
  }
});

import { expect } from 'chai';
import { csvPetsOf } from '../../../src/adapters/files/csv-pets.js';
import { ndjsonPetsOf } from '../../../src/adapters/files/ndjson-pets.js';
import { PET_MEMBERS } from '../../../src/domain/pet.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { allOf, chunksOf } from './chunks.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const { name, categoryId, status } = PET_MEMBERS;

/** What is read of a file: its animals, the faults of its lines, and what is ignored of them. */
async function read(readPets: typeof csvPetsOf, content: string | Uint8Array, size?: number) {
  const ignored: string[] = [];
  const pets = await allOf(readPets(chunksOf(content, size), { onIgnored: (name) => ignored.push(name) }));
  return { pets, ignored, faults: pets.map(({ line, fault }) => `${line}: ${fault}`) };
}

/** The message of the error that a file is refused with. */
async function errorOf(readPets: typeof csvPetsOf, content: string | Uint8Array): Promise<string> {
  const error = await rejectionOf(read(readPets, content));
  expect(error).to.have.property('name', 'FileError');
  // The command prints it too, and it would name other lines.
  expect(error).not.to.have.property('cause');
  return (error as Error).message;
}

describe('the animals of an NDJSON file', () => {
  it('have their values digit for digit, and the line on which they stand, whatever the lines end in', async () => {
    const text =
      '\ufeff{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}\r\n\r \t\n{"categoryId":-0,"name":"\u2028é"}';
    expect((await read(ndjsonPetsOf, text)).pets).to.deep.equal([
      { line: 1, newPet: { name: 'Rex', categoryId: 9223372036854775807n, status: 'sold' } },
      { line: 4, newPet: { name: '\u2028é', categoryId: 0n } },
    ]);
  });

  it('have the fault of their line', async () => {
    const lines: Readonly<Record<string, string>> = {
      '17': 'must be a JSON object',
      null: 'must be a JSON object',
      '[]': 'must be a JSON object',
      '{"name":': 'is not well-formed JSON: the error is at position 9',
      '\ufeff{}': 'is not well-formed JSON: the error is at position 1',
      '{"name":"R\0x"}': 'is not well-formed JSON: the error is at position 11',
      '{"name":"Rex","categoryId":1.50}': `categoryId ${categoryId.rule}, not 1.50`,
      '{"name":7,"categoryId":9223372036854775808}': `name ${name.rule}, not 7; categoryId ${categoryId.rule}, not 9223372036854775808`,
      [`{"name":[1],"categoryId":${'9'.repeat(41)}}`]: `name ${name.rule}, not an array; categoryId ${categoryId.rule}, not ${'9'.repeat(40)}…`,
      '{"name":"R\\u00e9x","categoryId":1e400}': `categoryId ${categoryId.rule}, not 1e400`,
      '{"name":{},"categoryId":true}': `name ${name.rule}, not an object; categoryId ${categoryId.rule}, not true`,
      '{"name":"Rex"}': `categoryId ${categoryId.rule}`,
      '{"name":"Rex","categoryId":"1,5"}': `categoryId ${categoryId.rule}, not "1,5"`,
      '{"name":"\\u00a0","categoryId":7,"status":null}': `name ${name.rule}, not "\\u00A0"; status ${status.rule}, not null`,
      '{"name":"Rex","categoryId":7,"Status":"sold"}': '"Status" must be named status exactly',
    };
    const { faults } = await read(ndjsonPetsOf, `{"name":"Rex","categoryId":7}\n${Object.keys(lines).join('\n')}\n`);
    expect(faults).to.deep.equal(['1: undefined', ...Object.values(lines).map((fault, i) => `${i + 2}: ${fault}`)]);
  });

  it('leave out members that animals do not have, which are told once, and at most twenty', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `{"name":"Rex","categoryId":7,"x":1,"x${i}":1}\n`).join('');
    const { pets, ignored } = await read(ndjsonPetsOf, lines);
    expect(pets).to.have.length(50);
    expect(pets[49]?.newPet).to.deep.equal(REX);
    expect(ignored).to.have.length(20);
    expect(ignored.slice(0, 3)).to.deep.equal(['"x"', '"x0"', '"x1"']);
  });

  const LINE = '{"name":"Rex","categoryId":7}';
  for (const [what, text] of Object.entries({
    'an array': `[${LINE},\n${LINE}]\n`,
    'an array on one line': `[${LINE},${LINE}]`,
    'an object of several lines': '{\n  "name": "Rex",\n  "categoryId": 7\n}\n',
    'objects with commas between them': `${LINE},\n${LINE}\n`,
  })) {
    it(`are refused, as a whole and with a hint, if the file is ${what}`, async () => {
      expect(await errorOf(ndjsonPetsOf, text)).to.match(/^line \d: begins an array, .* write one object per line$/);
    });
  }

  it('are refused if there are none', async () => {
    for (const text of ['', '\ufeff', '\r\n \n'])
      expect(await errorOf(ndjsonPetsOf, text)).to.equal('the file has no animals: it is empty');
  });
});

describe('the animals of a CSV file', () => {
  const HEADER = 'name,categoryId,status\n';

  it('have their values and the line on which they begin, whatever order, quotes and byte order mark the file has', async () => {
    const text =
      '\ufeff"status",colour,"categoryId",name,,colour\r\n' +
      'sold,red,9223372036854775807,Rex,,\r\n\r\n' +
      ',"a,b",-9223372036854775808,"T ""o""\r\nm\r\r\n",x,\r\n' +
      '"",,0,\u2028K\ufeff,"\n",';
    for (const size of [1, 7, 65_536]) {
      const { pets, ignored } = await read(csvPetsOf, text, size);
      expect(pets).to.deep.equal([
        { line: 2, newPet: { name: 'Rex', categoryId: 9223372036854775807n, status: 'sold' } },
        { line: 4, newPet: { name: 'T "o"\r\nm\r\r\n', categoryId: -9223372036854775808n } },
        { line: 8, newPet: { name: '\u2028K\ufeff', categoryId: 0n } },
      ]);
      expect(ignored).to.deep.equal(['"colour"', '""']);
    }
  });

  it('have their values however many there are', async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `pet ${i}`);
    const { pets } = await read(csvPetsOf, HEADER + names.map((name) => `${name},7,\n`).join(''));
    expect(pets.map(({ newPet }) => newPet?.name)).to.deep.equal(names);
    expect(pets.at(-1)?.line).to.equal(20_001);
  });

  it('are none in rows whose cells were emptied, which count as lines', async () => {
    const { pets } = await read(csvPetsOf, `${HEADER}Rex,7,\n,,\n"","",""\n,\nRex,7,\n,,,\n`);
    expect(pets).to.deep.equal([
      { line: 2, newPet: REX },
      { line: 6, newPet: REX },
    ]);
  });

  it('have the fault of their line, with at most 40 characters of the value', async () => {
    const not = (value: string): string => `categoryId ${categoryId.rule}, not ${value}`;
    const lines: Readonly<Record<string, string>> = {
      'Rex,"1,5",': not('"1,5"'),
      'Rex,,': not('""'),
      'Rex,7.0,': not('"7.0"'),
      'Rex,9223372036854775808,': not('"9223372036854775808"'),
      'Rex,\u200b7,': not('"\\u200B7"'),
      [`Rex,${'😀'.repeat(41)},`]: not(`"${'😀'.repeat(40)}"…`),
      [`${'x'.repeat(1025)},7,Sold`]: `name ${name.rule}, not "${'x'.repeat(40)}"…; status ${status.rule}, not "Sold"`,
      'R\0x,7,': `name ${name.rule}, not "R\\u0000x"`,
      'Rex,7': 'must have 3 fields, as the header has; it has 2',
      'Rex;7;': 'must have 3 fields, as the header has; it has 1',
      'Rex,7,sold,': 'must have 3 fields, as the header has; it has 4',
    };
    const { faults } = await read(csvPetsOf, `${HEADER}Tom,8,sold\n${Object.keys(lines).join('\n')}\n`);
    expect(faults).to.deep.equal(['2: undefined', ...Object.values(lines).map((fault, i) => `${i + 3}: ${fault}`)]);
  });

  const REFUSED: Readonly<Record<string, string>> = {
    '': 'the file is empty: its first line must name the columns',
    [HEADER]: 'the file has no animals: no line follows its header',
    [`${HEADER},,\n,,\n`]: 'the file has no animals: no line follows its header',
    [`\ufeff\n${HEADER}\r\n\n`]: 'the file has no animals: no line follows its header',
    'name,status\n': 'line 1: must name the columns, but lacks categoryId',
    '\nRex,7,sold\n': 'line 2: must name the columns, but lacks name and categoryId',
    'name,categoryId,name\n': 'line 1: names the column name twice',
    'name;categoryId\nRex;7\n':
      'line 1: must name the columns, but lacks name and categoryId; commas must separate them, not ";"',
    'name\tcategoryId\r':
      'line 1: must name the columns, but lacks name and categoryId; commas must separate them, not "\\t"',
    'sep=;\nname;categoryId\n':
      'line 1: must name the columns, but lacks name and categoryId; commas must separate them, not ";"',
    'name,categoryId,Status\nRex,7,sold\n': 'line 1: the column "Status" must be named status exactly',
    'name,categoryId,"status\r\n"\n': 'line 1: the column "status\\r\\n" must be named status exactly',
    'name,categoryId,\u200bstatus\n': 'line 1: the column "\\u200Bstatus" must be named status exactly',
    'name,categoryId,status\u{e0020}\n': 'line 1: the column "status\\uDB40\\uDC20" must be named status exactly',
    'name,categoryId,ｓtatus\n': 'line 1: the column "ｓtatus" must be named status exactly',
    '\ufeff\ufeffname,categoryId\n': 'line 1: the column "\\uFEFFname" must be named name exactly',
    'name,category id\n': 'line 1: the column "category id" must be named categoryId exactly',
  };
  for (const [text, message] of Object.entries(REFUSED)) {
    it(`are refused if the file is ${JSON.stringify(text)}`, async () => {
      expect(await errorOf(csvPetsOf, text)).to.equal(message);
    });
  }

  it('name a column that is ignored so that a reader sees each character', async () => {
    expect((await read(csvPetsOf, 'name,\u00a0col our\u202e,categoryId\nRex,,7\n')).ignored).to.deep.equal([
      '"\\u00A0col our\\u202E"',
    ]);
  });

  it('are refused with the line if the quotes are wrong, or a record is too long', async () => {
    const before = `${HEADER}"R\r\nex",7,\n`;
    const notClosed = 'line 4: has a field whose quote is not closed, or that is longer than 1048576 bytes';
    expect(await errorOf(csvPetsOf, `${before}"Tom,8,\nKim,9,\n`)).to.equal(notClosed);
    expect(await errorOf(csvPetsOf, `${before}"${'x\n'.repeat(600_000)}`)).to.equal(notClosed);
    expect(await errorOf(csvPetsOf, `${before}T"om,8,\n`)).to.match(/^line 4: has a quote within a field that/);
    expect(await errorOf(csvPetsOf, `${before}"T\no"m,8,\nKim,9,\n`)).to.match(/^line 4: has text after the closing/);
    expect(await errorOf(csvPetsOf, 'na"me,categoryId\n')).to.match(/^line 1: has a quote within a field/);
    expect(await errorOf(csvPetsOf, '"name";"categoryId"\n')).to.match(/^line 1: .*: commas separate fields/);
    const many = `${HEADER}${'Rex,7,\n'.repeat(20_000)}T"om,8,\n${'Kim,9,\n'.repeat(20_000)}`;
    expect(await errorOf(csvPetsOf, many)).to.match(/^line 20002: /);
  });

  it('are not read to their end once a quote is not closed', async () => {
    let chunks = 0;
    async function* endless() {
      yield Buffer.from(`${HEADER}"`);
      for (; ; chunks++) yield Buffer.from('Rex,7,sold\n'.repeat(5000));
    }
    expect(await rejectionOf(allOf(csvPetsOf(endless())))).to.have.property('name', 'FileError');
    expect(chunks).to.be.lessThan(100);
  });
});

import { expect } from 'chai';
import { csvPetsOf } from '../../../src/adapters/files/csv-pets.js';
import { ndjsonPetsOf } from '../../../src/adapters/files/ndjson-pets.js';
import { eventually } from '../../support/eventually.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { allOf, chunksOf } from './chunks.js';

describe('the animals of an NDJSON file', () => {
  it('have their values digit for digit, and the line on which they stand', async () => {
    const text =
      '\ufeff{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}\r\n\n{"categoryId":-0,"name":"é"}';
    expect(await allOf(ndjsonPetsOf(chunksOf(text)))).to.deep.equal([
      {
        line: 1,
        text: '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}\r',
        input: { name: 'Rex', categoryId: 9223372036854775807n, status: 'sold' },
      },
      { line: 3, text: '{"categoryId":-0,"name":"é"}', input: { categoryId: 0n, name: 'é' } },
    ]);
  });

  it('skip lines of white space, and refuse a byte order mark that does not begin the file', async () => {
    const pets = await allOf(ndjsonPetsOf(chunksOf(' \t\r\n{"name":"Rex"}\n\ufeff{"name":"Tom"}\n')));
    expect(pets.map(({ line, input, fault }) => [line, input?.name, fault])).to.deep.equal([
      [2, 'Rex', undefined],
      [3, undefined, 'is not well-formed JSON: the error is at position 1'],
    ]);
  });

  it('have a fault if a line is not a JSON object', async () => {
    const pets = await allOf(ndjsonPetsOf(chunksOf('17\nnull\n[]\n{"name":\n{}\n')));
    expect(pets.map(({ line, fault }) => `${line} ${fault}`)).to.deep.equal([
      '1 must be a JSON object',
      '2 must be a JSON object',
      '3 must be a JSON object',
      '4 is not well-formed JSON: the error is at position 9',
      '5 undefined',
    ]);
  });

  it('leave out members that animals do not have, which are told once, and at most twenty', async () => {
    const ignored: string[] = [];
    const lines = Array.from({ length: 50 }, (_, i) => `{"name":"Rex","x":1,"x${i}":1}\n`).join('');
    await allOf(ndjsonPetsOf(chunksOf(lines), { onIgnored: (member) => ignored.push(member) }));
    expect(await allOf(ndjsonPetsOf(chunksOf(lines)))).to.have.length(50);
    expect(ignored).to.have.length(20);
    expect(ignored.slice(0, 3)).to.deep.equal(['x', 'x0', 'x1']);
  });
});

describe('the animals of a CSV file', () => {
  const HEADER = 'name,categoryId,status\n';

  async function errorOf(text: string): Promise<string> {
    const error = await rejectionOf(allOf(csvPetsOf(chunksOf(text))));
    expect(error).to.have.property('name', 'FileError');
    return (error as Error).message;
  }

  it('have their values, whatever order, quotes, line ends and byte order mark the file has', async () => {
    const ignored: string[] = [];
    const text =
      '\ufeffstatus,colour,categoryId,name\r\nsold,red,9223372036854775807,Rex\r\n\r\n,"a,b",-9223372036854775808,"T ""o""\nm"\r\n"",,0,K';
    const pets = await allOf(csvPetsOf(chunksOf(text, 7), { onIgnored: (column) => ignored.push(column) }));
    expect(pets).to.deep.equal([
      {
        line: 2,
        text: 'sold,red,9223372036854775807,Rex',
        input: { name: 'Rex', categoryId: 9223372036854775807n, status: 'sold' },
      },
      {
        line: 4,
        text: ',"a,b",-9223372036854775808,"T ""o""\nm"',
        input: { name: 'T "o"\nm', categoryId: -9223372036854775808n },
      },
      { line: 6, text: '"",,0,K', input: { name: 'K', categoryId: 0n } },
    ]);
    expect(ignored).to.deep.equal(['colour']);
  });

  it('have their values however many there are', async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `pet ${i}`);
    const pets = await allOf(csvPetsOf(chunksOf(HEADER + names.map((name) => `${name},7,\n`).join(''))));
    expect(pets.map(({ input }) => input?.name)).to.deep.equal(names);
  });

  it('keep a byte order mark that does not begin the file', async () => {
    const pets = await allOf(csvPetsOf(chunksOf(`${HEADER}\ufeffRex,7,\n`)));
    expect(pets[0]?.input?.name).to.equal('\ufeffRex');
  });

  it('keep the text of a field that is not an int64, which no animal can have as its category', async () => {
    const fields = ['', '7.0', '9223372036854775808', '1e3', ' 7', 'x'];
    const pets = await allOf(csvPetsOf(chunksOf(HEADER + fields.map((field) => `Rex,${field},\n`).join(''))));
    expect(pets).to.have.length(fields.length);
    expect(pets.map(({ input }) => input?.categoryId)).to.deep.equal(fields);
  });

  it('have a fault if a line has more or fewer fields than the header', async () => {
    const pets = await allOf(csvPetsOf(chunksOf(`${HEADER}Rex,7\nTom,8,sold\nKim,9,sold,\n`)));
    expect(pets.map(({ line, fault }) => [line, fault])).to.deep.equal([
      [2, 'must have 3 fields, as the header has; it has 2'],
      [3, undefined],
      [4, 'must have 3 fields, as the header has; it has 4'],
    ]);
  });

  it('are refused if the header lacks a column, or has one twice', async () => {
    expect(await errorOf('name,status\n')).to.equal('line 1: must name the columns, but lacks categoryId');
    expect(await errorOf('Rex,7,sold\n')).to.equal('line 1: must name the columns, but lacks name');
    expect(await errorOf('name,categoryId,name\n')).to.equal('line 1: names the column name twice');
    expect(await errorOf('')).to.equal('the file is empty: its first line must name the columns');
  });

  it('are refused with the line if the quotes are wrong, or a record is too long', async () => {
    const before = `${HEADER}"R\nex",7,\n`;
    expect(await errorOf(`${before}"Tom,8,\nKim,9,\n`)).to.equal('line 4: has a field whose quote is not closed');
    expect(await errorOf(`${before}T"om,8,\n`)).to.match(/^line 4: has a quote within a field that does not begin/);
    expect(await errorOf(`${before}"T\no"m,8,\nKim,9,\n`)).to.match(/^line 4: has text after the closing quote/);
    expect(await errorOf(`${before}"${'x\n'.repeat(600_000)}`)).to.match(
      /^line 4: begins a record of more than 1048576 bytes/,
    );
    expect(await errorOf(`na"me,categoryId\n`)).to.match(/^line 1: has a quote within a field/);
  });

  it('are given up to the line whose quotes are wrong', async () => {
    const lines: number[] = [];
    const text = `${HEADER}${'Rex,7,\n'.repeat(20_000)}T"om,8,\n${'Kim,9,\n'.repeat(20_000)}`;
    const reading = (async () => {
      for await (const { line } of csvPetsOf(chunksOf(text))) lines.push(line);
    })();
    expect(await rejectionOf(reading))
      .to.have.property('message')
      .that.includes('line 20002: ');
    expect(lines.at(-1)).to.equal(20_001);
    expect(lines).to.have.length(20_000);
  });

  it('are not read to their end once a quote is not closed', async () => {
    let read = 0;
    async function* endless() {
      yield Buffer.from(`${HEADER}"`);
      for (; ; read++) yield Buffer.from('Rex,7,sold\n'.repeat(5000));
    }
    expect(await rejectionOf(allOf(csvPetsOf(endless()))))
      .to.have.property('message')
      .that.includes('line 2: begins');
    expect(read).to.be.lessThan(100);
  });

  it('are refused with the line that is not UTF-8', async () => {
    const bytes = Buffer.from(`${HEADER}Rex,7,\n\xff,8,\n`, 'latin1');
    const error = await rejectionOf(allOf(csvPetsOf(chunksOf(bytes as unknown as string))));
    expect(error).to.have.property('message', 'line 3: is not UTF-8');
  });

  it('are not read further once the iteration ends', async () => {
    const file = { isClosed: false };
    async function* endless() {
      try {
        yield Buffer.from(HEADER);
        for (;;) yield Buffer.from('Rex,7,sold\n'.repeat(5000));
      } finally {
        file.isClosed = true;
      }
    }
    for await (const { input } of csvPetsOf(endless())) {
      expect(input).to.include({ name: 'Rex' });
      break;
    }
    await eventually(() => (file.isClosed ? true : undefined));
  });
});

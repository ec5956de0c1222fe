import { expect } from 'chai';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { LogOutput } from '../../../src/bootstrap/log/log-output.js';
import { eventually } from '../../support/eventually.js';

/** A stream that takes one write, and the next one when what it holds is read. */
function slowStream(): PassThrough {
  return new PassThrough({ highWaterMark: 1, encoding: 'utf8' });
}

/** Everything that the stream holds or is given, up to and with a text. */
async function readUntil(stream: PassThrough, end: string): Promise<string> {
  let read = '';
  return eventually(() => {
    read += (stream.read() as string | null) ?? '';
    return read.includes(end) ? read : undefined;
  });
}

describe('LogOutput', () => {
  it('writes the lines of one turn of the event loop together', async () => {
    const writes: unknown[][] = [];
    const stream = new Writable({
      decodeStrings: false,
      writev(chunks, done) {
        writes.push(chunks.map(({ chunk }: { readonly chunk: unknown }) => chunk));
        done();
      },
    });
    const output = new LogOutput(stream);
    output.write('a\n');
    output.write('b\n');
    await output.flush(5000);
    expect(writes).to.deep.equal([['a\n', 'b\n']]);
  });

  it('accepts lines up to its limit', () => {
    const output = new LogOutput(slowStream(), { maxWaiting: 4 });
    output.write('a\n');
    output.write('b\n');
    expect(output.droppedLines).to.equal(0);
    output.write('\n');
    expect(output.droppedLines).to.equal(1);
  });

  it('reports how many lines were dropped once lines can be written again, even if the limit was full', async () => {
    const stream = slowStream();
    const output: LogOutput = new LogOutput(stream, {
      maxWaiting: 10,
      onRecovery: (lines) => output.write(`lost ${lines}\n`),
    });
    for (let i = 0; i < 9; i++) {
      output.write(`${i}234\n`);
      await setImmediate();
    }
    const { droppedLines } = output;
    expect(await readUntil(stream, 'lost')).to.match(new RegExp(`\\nlost ${droppedLines}\\n$`));
    expect(output.droppedLines).to.equal(droppedLines);
  });

  it('counts the lines that the stream refuses', async () => {
    const errors = [new Error('the disk is full'), new Error('the disk is full')];
    const stream = new PassThrough({
      encoding: 'utf8',
      autoDestroy: false,
      transform: (chunk, _encoding, done) => done(errors.pop() ?? null, chunk),
    });
    const output = new LogOutput(stream);
    output.write('a\n');
    output.write('b\n');
    await output.flush(5000);
    expect(output.droppedLines).to.equal(2);
  });

  it('resolves a flush immediately if no line waits', async () => {
    await new LogOutput(slowStream()).flush(600_000);
  });

  it('waits in a flush for a stream that is busy', async () => {
    const stream = slowStream();
    const output = new LogOutput(stream);
    for (const line of ['a\n', 'b\n', 'c\n']) {
      output.write(line);
      await setImmediate();
    }
    let isFlushed = false;
    const flush = output.flush(600_000).then(() => (isFlushed = true));
    for (let i = 0; i < 10; i++) await setImmediate();
    expect(isFlushed).to.equal(false);
    expect(await readUntil(stream, 'c\n')).to.equal('a\nb\nc\n');
    await flush;
  });

  it('also waits in a flush for the lines that came while the stream was busy', async () => {
    const ends: (() => void)[] = [];
    const stream = new Writable({ write: (_chunk, _encoding, done) => void ends.push(done) });
    const output = new LogOutput(stream);
    output.write('a\n');
    await setImmediate();
    output.write('b\n');
    let isFlushed = false;
    const flush = output.flush(600_000).then(() => (isFlushed = true));
    ends[0]?.();
    for (let i = 0; i < 10; i++) await setImmediate();
    expect(isFlushed).to.equal(false);
    ends[1]?.();
    await flush;
  });

  it('waits in a flush for the line that reports lost lines', async () => {
    const stream = new PassThrough({ encoding: 'utf8' });
    const output: LogOutput = new LogOutput(stream, {
      maxWaiting: 4,
      onRecovery: (lines) => output.write(`${lines}\n`),
    });
    output.write('a\n');
    output.write('too long\n');
    await output.flush(5000);
    expect(stream.read()).to.equal('a\n1\n');
  });

  it('stops waiting for a stream that nobody reads when the time of a flush is over', async () => {
    const stream = slowStream();
    const output = new LogOutput(stream);
    for (const line of ['a\n', 'b\n', 'c\n']) {
      output.write(line);
      await setImmediate();
    }
    await output.flush(1);
    expect(stream.readableLength).to.equal('a\n'.length);
  });
});

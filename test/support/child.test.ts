import { expect } from 'chai';
import { Child } from './child.js';
import { rejectionOf } from './rejection-of.js';

const GREETING = ['-e', 'console.log("hello"); process.exitCode = 3'];

describe('a process of the tests', () => {
  it('reports its exit code and its whole output', async () => {
    const child = Child.start(process.execPath, GREETING);
    expect(await child.exited).to.deep.equal({ code: 3, signal: null });
    expect(child.stdout).to.equal('hello\n');
  });

  it('is not waited for if it ends before it prints what a test looks for', async () => {
    const child = Child.start(process.execPath, GREETING);
    const error = await rejectionOf(child.find(() => /listening/.exec(child.stdout) ?? undefined));
    expect(String(error)).to.include('the process ended first').and.to.include('hello');
  });
});

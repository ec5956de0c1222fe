import { expect } from 'chai';
import { KEY } from '../../service/serve-on.js';
import type { Environment } from '../../support/child.js';
import { outcomeOf } from '../../support/command.js';
import { linesOf, refusalOf } from '../outcome.js';

const API_KEYS = `anna:${KEY}`;

function serve(store: string): string[] {
  return ['serve', store, '--port=0', '--log-level=trace'];
}

/** Runs each command that needs the server of a store, and expects it to end with 1 and one line, which tells no secret. */
export async function verifyComplaint(store: string, env: Environment, complaint: RegExp): Promise<void> {
  const flag = `--store=${store}`;
  for (const args of [serve(flag), ['keys', 'list', flag], ['export', flag]]) {
    const { code, stdout, stderr } = await outcomeOf(args, { ...env, API_KEYS });
    expect({ code, stdout }, args[0]).to.deep.equal({ code: 1, stdout: '' });
    expect(linesOf(stderr), args[0]).to.have.lengthOf(1);
    expect(stderr, args[0]).to.match(complaint).and.to.not.include('S3cret');
  }
}

/** Expects each URL to be refused by the name of its variable, without its secret. */
export async function verifyRefusedUrls(store: string, variable: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    expect(await refusalOf(serve(`--store=${store}`), { [variable]: url, API_KEYS }))
      .to.match(new RegExp(`^${variable} is invalid: `))
      .and.to.not.include('S3cret');
  }
}

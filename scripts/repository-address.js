import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFEST = 'package.json';
const DOCUMENT = 'src/adapters/http/reference/openapi.ts';
const CONTACT = "{ name: 'Animal Store' }";
const GITHUB =
  /^(?:git@github\.com:|(?:git\+)?(?:https|ssh):\/\/(?:git@)?github\.com\/)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/** The address of the pages of a repository at GitHub, from that of a remote; `undefined` for any other remote. */
export function addressOf(remote) {
  const [, name] = GITHUB.exec(remote) ?? [];
  return name && `https://github.com/${name}`;
}

/** Sets the address in the package.json of a folder, and as the contact of the OpenAPI document. */
export function fillIn(address, folder = '.') {
  const bugs = `${address}/issues`;
  const { name, version, description, keywords, ...rest } = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
  const repository = { type: 'git', url: `git+${address}.git` };
  const known = {
    name,
    version,
    description,
    keywords,
    homepage: `${address}#readme`,
    bugs: { url: bugs },
    repository,
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify({ ...known, ...rest }, undefined, 2)}\n`);

  const source = readFileSync(join(folder, DOCUMENT), 'utf8');
  if (!source.includes(CONTACT)) throw new Error(`${DOCUMENT} has no ${CONTACT}`);
  writeFileSync(join(folder, DOCUMENT), source.replace(CONTACT, `{ name: 'Animal Store', url: '${bugs}' }`));
}

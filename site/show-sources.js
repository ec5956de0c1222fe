/**
 * Lets the site show the sources to which the documents link. typedoc copies them as they are, and browsers download files such as
 * `pet.ts`, which servers take for a video: so each copy becomes a text file, and the links to it follow.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = fileURLToPath(new URL('../.cache/site/', import.meta.url));
const isShown = (name) => /\.(?:txt|svg|png)$/.test(name);

for (const name of readdirSync(join(site, 'media'))) {
  if (!isShown(name)) renameSync(join(site, 'media', name), join(site, 'media', `${name}.txt`));
}

for (const page of readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))) {
  const before = readFileSync(join(site, page), 'utf8');
  const after = before.replaceAll(/(?<=href="(?:\.\.\/)*media\/)[^"#]+/g, (name) =>
    isShown(name) ? name : `${name}.txt`,
  );
  if (after !== before) writeFileSync(join(site, page), after);
}

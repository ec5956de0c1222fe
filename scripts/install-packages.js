/** Installs the packages of folders, such as `site`, as the tests install theirs. */
import { tsImport } from 'tsx/esm/api';

const { installPackages } = await tsImport('../test/support/install-packages.ts', import.meta.url);
for (const folder of process.argv.slice(2)) await installPackages(folder);

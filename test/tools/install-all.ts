/** Installs the tools that the tests of this folder use: `npm run test:tools` runs it before them. */
import { installTools } from './install.js';

await installTools();

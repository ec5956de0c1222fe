/** Installs the tools of Python that the tests use: `npm run test:tools` runs it before them. */
import { installPython } from './tools.js';

await installPython();

import { FILES } from '../../src/adapters/http/reference/files/files.js';

/** The files that the reference page loads, by the names that they have in their packages. */
export const REFERENCE_FILES = Object.entries(FILES).map(([name, file]) => ({ name, path: `/docs/${file.name}` }));

/** The paths of the largest files, and of one that is not compressed. */
export const BUNDLE_PATH = `/docs/${FILES['swagger-ui-bundle.js'].name}`;
export const ICON_PATH = `/docs/${FILES['favicon-32x32.png'].name}`;

import { PAGE } from '../../src/adapters/http/operations/reference-files/page.js';
import { SWAGGER_UI } from '../../src/adapters/http/operations/reference-files/swagger-ui.js';

/** The files that the reference page loads, by the names that they have in their packages. */
export const REFERENCE_FILES = Object.entries({ ...SWAGGER_UI, ...PAGE }).map(([name, file]) => ({
  name,
  path: `/docs/${file.name}`,
}));

/** The paths of the largest files, and of one that is not compressed. */
export const BUNDLE_PATH = `/docs/${SWAGGER_UI['swagger-ui-bundle.js'].name}`;
export const STYLES_PATH = `/docs/${SWAGGER_UI['swagger-ui.css'].name}`;
export const ICON_PATH = `/docs/${SWAGGER_UI['favicon-32x32.png'].name}`;

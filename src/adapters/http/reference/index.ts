/**
 * The interactive reference at `/docs`. No other entry point brings it into a bundle.
 *
 * @module animal-store/reference
 */
export { reference, type Reference } from './page.js';
export type { ApiServer } from '../operations/openapi.js';

/**
 * The animals of another animal store, over HTTP by `fetch` alone: on Node, Bun, Deno, workers, and in browsers.
 *
 * @module animal-store/remote
 */
export { RemotePetCatalogue, type RemotePetCatalogueOptions } from './remote-pet-catalogue.js';
export { RemoteStoreError } from './remote-store-error.js';
export type { Fetch, RemoteService } from './remote-options.js';

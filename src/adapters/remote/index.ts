/**
 * A catalogue whose animals are in another animal store, which it calls over HTTP. Needs only `fetch`: runs on Node, Bun, Deno,
 * workers, and in browsers.
 *
 * @module animal-store/remote
 */
export { RemotePetCatalogue } from './remote-pet-catalogue.js';
export { RemoteStoreError } from './remote-store-error.js';
export type { Fetch, FetchInit, FetchResponse, RemotePetCatalogueOptions } from './remote-options.js';

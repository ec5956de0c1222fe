/**
 * What adapters for databases have in common, for authors of adapters. Unlike the rest of the package, it may change in minor versions.
 *
 * @module animal-store/adapter-kit
 */
export { boundedCall, type BoundedCall, type CallBounds } from './bounded-call.js';
export { GroupCommit, type GroupCommitEntry } from './group-commit.js';
export { RememberedApiKeys, type LookUpApiKey, type RememberedApiKeysOptions } from './remembered-api-keys.js';

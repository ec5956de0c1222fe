/**
 * Moves animals into a store, and from one store to another. The records and animals can come from any iterable, such as an
 * async generator.
 *
 * @module animal-store/moving
 */
export { exportStore } from './export-store.js';
export { importPets, type ImportOptions, type ImportResult, type PetToImport } from './import-pets.js';
export { restoreStore, type RestoreOptions, type RestoreStoreResult } from './restore-store.js';
export type { MovingPorts, RecordCounts, StoreRecord } from './store-record.js';

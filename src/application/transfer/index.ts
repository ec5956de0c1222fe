/**
 * Moves animals into a store, and from one store to another. The records and animals can come from any iterable, such as an
 * async generator.
 *
 * @module animal-store/transfer
 */
export { exportStore } from './export-store.js';
export { importPets, type ImportOptions, type ImportResult, type PetToImport } from './import-pets.js';
export { restoreStore, type RestoreOptions, type RestoreStoreResult } from './restore-store.js';
export type { TransferPorts, RecordCounts, StoreRecord } from './store-record.js';

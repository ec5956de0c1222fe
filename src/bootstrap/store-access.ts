/**
 * What a command needs of a store.
 *
 * - `prepare`: creates the file, tables or indexes that are missing, and rejects at the start if the store cannot be written.
 * - `existing`: opens what exists for writing, and creates nothing.
 * - `read-only`: opens what exists, writes nothing, and creates nothing.
 */
export type StoreAccess = 'prepare' | 'existing' | 'read-only';

/**
 * How a command uses a store: it prepares what is missing (`serve`, `import`, `restore`, `keys create`), it writes to what exists
 * (`keys rotate`, `keys revoke`), or it reads what exists (`export`, `keys list`). A store creates nothing but to `prepare`.
 */
export type StoreAccess = 'prepare' | 'existing' | 'read-only';

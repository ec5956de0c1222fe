/** Whom a valid key belongs to. */
export interface Principal {
  /** The name that the key was issued to; not unique. Fit for a log, unlike the key. */
  readonly name: string;
}

/**
 * The driven port to the API keys in force. These sentences are the law for each adapter, and the contract suite proves
 * them.
 */
export interface ApiKeys {
  /**
   * Resolves to the principal that a presented key belongs to, or to `undefined` where no key in force equals it, letter
   * for letter; no string is an error. Neither the adapter nor what it stores keeps a key in clear: keys are compared by
   * their SHA-256, so that the time it takes tells nothing of a key.
   *
   * Rejects with an `AnimalStoreError` `store_unavailable` where only the store could judge the key and it does not
   * answer in time.
   */
  verify(key: string): Promise<Principal | undefined>;
}

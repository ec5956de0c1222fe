/**
 * The text of a module that runs the contract suites on some adapters, one check after another, and prints, as JSON, how many
 * checks there are and which fail: {@link ContractOutcome}.
 *
 * @param imports Statements that import the names of `animal-store` and `animal-store/contract` that the text uses.
 * @param createCatalogue A statement that returns a catalogue, or a promise of one.
 * @param createKeys A statement that returns a registry and the keys that it issues, or a promise of them.
 * @param more Statements that run before the checks, and may add to `checks`.
 * @param end Statements that run after them.
 */
export function contractScript({
  imports,
  createCatalogue,
  createKeys,
  more = '',
  end = '',
}: {
  readonly imports: string;
  readonly createCatalogue: string;
  readonly createKeys: string;
  readonly more?: string;
  readonly end?: string;
}): string {
  return `
    import { randomBytes } from 'node:crypto';
    ${imports}
    const checks = [];
    const runner = { describe: (_, declare) => declare(), it: (sentence, check) => checks.push([sentence, check]) };
    const createKeys = async () => { ${createKeys} };
    ${more}
    verifyPetCatalogueContract({ createCatalogue: async () => { ${createCatalogue} }, addOnce: true, runner });
    verifyApiKeysContract({
      issueKeys: async (names) => {
        const { registry, apiKeys } = await createKeys();
        const manager = createApiKeyManager({ registry, now: () => new Date(), randomBytes });
        const keys = [];
        for (const name of names) keys.push((await manager.issue({ name })).key);
        return { apiKeys, keys };
      },
      runner,
    });
    verifyApiKeyRegistryContract({ createRegistry: createKeys, runner });
    const failed = [];
    for (const [sentence, check] of checks) {
      try {
        await check();
      } catch (error) {
        failed.push(sentence + ': ' + error.message);
      }
    }
    ${end}
    console.log(JSON.stringify({ all: checks.length, failed }));`;
}

/** What a {@link contractScript} prints. */
export interface ContractOutcome {
  readonly all: number;
  readonly failed: readonly string[];
}

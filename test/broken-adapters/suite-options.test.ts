import { expect } from 'chai';
import { verifyApiKeyRegistryContract } from '../contracts/api-key-registry-contract.js';
import { verifyApiKeysContract } from '../contracts/api-keys-contract.js';
import { verifyPetCatalogueContract } from '../contracts/pet-catalogue-contract.js';
import { verifyHttpContract } from '../contracts/http-contract.js';
import type { TestRunner } from '../contracts/test-runner.js';

const make = (): object => ({});

/** What each suite needs, and an invalid value of each of its options. */
const SUITES = [
  [
    verifyPetCatalogueContract,
    { createCatalogue: make },
    { createCatalogue: {}, addOnce: 'yes', restore: 1, reopen: true, openAnother: null, runner: {} },
  ],
  [verifyApiKeysContract, { issueKeys: make }, { issueKeys: 'keys', runner: { describe: make } }],
  [
    verifyApiKeyRegistryContract,
    { createRegistry: make },
    { createRegistry: null, patienceMs: 0, reopen: {}, openAnother: true, runner: 7 },
  ],
  [
    verifyHttpContract,
    { baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a-key-of-sixteen.' },
    { baseUrl: 'http://127.0.0.1:3000', apiKey: '', only: 'interfaces', runner: [] },
  ],
] as const;

for (const [verify, needed, invalid] of SUITES) {
  describe(`the options of ${verify.name}`, () => {
    let declared: string[];

    beforeEach(() => {
      declared = [];
    });

    function declare(options: object | undefined): void {
      const runner: TestRunner = {
        describe: (_title, body) => body(),
        it: (title) => declared.push(title),
      };
      Reflect.apply(verify, undefined, [options && { runner, ...options }]);
    }

    it('may be those alone that it needs', () => {
      declare(needed);
      expect(declared).to.have.length.greaterThan(5);
    });

    for (const [name, value] of Object.entries(invalid)) {
      it(`say by a TypeError, before a test is declared, what ${name} must be`, () => {
        expect(() => declare({ ...needed, [name]: value })).to.throw(
          TypeError,
          `option ${name} of ${verify.name} must be`,
        );
        expect(declared).to.deep.equal([]);
      });
    }

    for (const options of [undefined, {}]) {
      it(`name the one that is missing from ${JSON.stringify(options)}`, () => {
        expect(() => declare(options)).to.throw(TypeError, Object.keys(needed)[0]);
        expect(declared).to.deep.equal([]);
      });
    }

    it('are not those of another name, such as a misspelt one', () => {
      expect(() => declare({ ...needed, adOnce: true })).to.throw(TypeError, 'no option adOnce');
      expect(declared).to.deep.equal([]);
    });
  });
}

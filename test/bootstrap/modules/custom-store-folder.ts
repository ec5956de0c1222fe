import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyInOneFile } from '../../support/share-package.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A folder outside of this package, as somebody who writes a store has one. */
export interface CustomStoreFolder {
  readonly path: string;
  /** Writes a file, and the folders that it is in. */
  write(file: string, text: string): void;
}

/** Called in a `describe`: a folder of its suite, with a copy of Inversify of its own, and removed after it. */
export function useCustomStoreFolder(): () => CustomStoreFolder {
  let path: string | undefined;

  before(async () => {
    path = makeTemporaryFolder();
    await copyInOneFile('inversify', path);
    cpSync(join(MODULES, 'reflect-metadata'), join(path, 'node_modules/reflect-metadata'), { recursive: true });
    const folder = makeFolder(path);
    for (const [file, text] of Object.entries(PARTS)) folder.write(file, text);
  });

  return () => makeFolder(path ?? '');
}

function makeFolder(path: string): CustomStoreFolder {
  return {
    path,
    write(file, text) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
  };
}

/** What the stores of the tests are made of. Nothing in it comes from this package. */
const PARTS = {
  'parts/token.mjs': `
    export const token = (name) => Symbol.for('animal-store.' + name);`,

  'parts/catalogue.mjs': `
    export class Catalogue {
      pets = [];
      async add(newPet) {
        const pet = Object.freeze({ id: BigInt(this.pets.length + 1), ...newPet });
        this.pets.push(pet);
        return pet;
      }
      async list({ limit, status, after = 0n }) {
        const matching = this.pets.filter((pet) => pet.id > after && (status === undefined || pet.status === status));
        const pets = matching.slice(0, limit);
        return matching.length > limit ? { pets, next: pets.at(-1).id } : { pets };
      }
      async find(id) {
        return this.pets.find((pet) => pet.id === id);
      }
    }`,

  // Records of keys in a JSON file, by one process at a time: good enough for a test.
  'parts/keys.mjs': `
    import { hash } from 'node:crypto';
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const revive = (member, value) => (member.endsWith('At') ? new Date(value) : value);
    export class Keys {
      constructor(file) {
        this.file = file;
      }
      read() {
        return existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8'), revive) : [];
      }
      write(records) {
        writeFileSync(this.file, JSON.stringify(records));
        return true;
      }
      async verify(key) {
        return this.read().find(({ sha256, revokedAt }) => sha256 === hash('sha256', key) && !revokedAt);
      }
      async add(record) {
        return this.write([...this.read(), record]);
      }
      async list() {
        return { keys: this.read() };
      }
    }`,
};

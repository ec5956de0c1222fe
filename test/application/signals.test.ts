import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { allPets } from '../../src/application/all-pets.js';
import { createAnimalStore, type AnimalStore } from '../../src/application/animal-store.js';
import type { CallOptions } from '../../src/domain/call-options.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { listenersOf } from '../support/listeners-of.js';
import { rejectionOf } from '../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const REASON = new Error('the caller has gone');

type Call = (store: AnimalStore, options: CallOptions) => Promise<unknown>;

const READS: Readonly<Record<string, Call>> = {
  listPets: async (store, options) => store.listPets({}, options),
  getPet: async (store, options) => store.getPet(1n, options),
  allPets: async (store, options) => allPets(store, {}, options).next(),
};

const CREATIONS: Readonly<Record<string, Call>> = {
  createPet: async (store, options) => store.createPet(REX, options),
  createPetOnce: async (store, options) => store.createPetOnce(REX, 'once', options),
};

/** A store whose catalogue ignores every signal, and answers only after a call of `answer`. */
function makeSlowStore() {
  const sound = new InMemoryPetCatalogue([REX]);
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const catalogue: PetCatalogue = {
    add: async (newPet) => answered.then(async () => sound.add(newPet)),
    addOnce: async (newPet, key) => answered.then(async () => sound.addOnce(newPet, key)),
    list: async (query) => answered.then(async () => sound.list(query)),
    find: async (id) => answered.then(async () => sound.find(id)),
  };
  return { store: createAnimalStore({ catalogue }), sound, answer };
}

for (const [name, call] of Object.entries({ ...READS, ...CREATIONS })) {
  describe(`the signal of ${name}`, () => {
    it('rejects the call with its reason if it is aborted already, and the catalogue is not called', async () => {
      const fail = async (): Promise<never> => Promise.reject(new Error('the catalogue was called'));
      const store = createAnimalStore({ catalogue: { add: fail, addOnce: fail, list: fail, find: fail } });
      expect(await rejectionOf(call(store, { signal: AbortSignal.abort(REASON) }))).to.equal(REASON);
    });

    it('is handed on to the catalogue, also if the options are an AbortController, whose prototype has the signal', async () => {
      const controller = new AbortController();
      const sound = new InMemoryPetCatalogue([REX]);
      const given: unknown[] = [];
      const noting: PetCatalogue = {
        add: async (newPet, options) => sound.add(newPet, note(options)),
        addOnce: async (newPet, key, options) => sound.addOnce(newPet, key, note(options)),
        list: async (query, options) => sound.list(query, note(options)),
        find: async (id, options) => sound.find(id, note(options)),
      };
      function note(options?: CallOptions): CallOptions | undefined {
        given.push(options?.signal);
        return options;
      }
      await call(createAnimalStore({ catalogue: noting }), controller);
      expect(given).to.have.length(1);
      expect(given[0]).to.equal(controller.signal);
    });
  });
}

for (const [name, call] of Object.entries(READS)) {
  it(`${name} ends with the answer of a catalogue that ignores the signal`, async () => {
    const controller = new AbortController();
    const { store, answer } = makeSlowStore();
    const running = call(store, controller);
    controller.abort(REASON);
    answer();
    await running;
  });
}

for (const [name, call] of Object.entries(CREATIONS)) {
  it(`${name} rejects with creation_aborted immediately, and the animal may still be stored`, async () => {
    const { store, sound, answer } = makeSlowStore();
    const controller = new AbortController();
    const running = call(store, controller);
    controller.abort(REASON);
    const error = await rejectionOf(running);
    expect(error).to.include({ name: 'AnimalStoreError', code: 'creation_aborted', cause: REASON });
    answer();
    await store.listPets();
    expect((await sound.list({ limit: 100 })).pets).to.have.length(2);
  });

  it(`${name} rejects with creation_aborted if the catalogue ends the creation because of the signal`, async () => {
    const controller = new AbortController();
    const abort = async (): Promise<never> => {
      controller.abort(REASON);
      return Promise.reject(REASON);
    };
    const catalogue = Object.assign(new InMemoryPetCatalogue(), { add: abort, addOnce: abort });
    const error = await rejectionOf(call(createAnimalStore({ catalogue }), controller));
    expect(error).to.include({ code: 'creation_aborted', cause: REASON });
  });

  it(`${name} rejects with creation_aborted if the catalogue aborts the signal itself, and then never answers`, async () => {
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const abort = async (): Promise<never> => {
      controller.abort(REASON);
      return new Promise(() => undefined);
    };
    const catalogue = Object.assign(new InMemoryPetCatalogue(), { add: abort, addOnce: abort });
    const error = await rejectionOf(call(createAnimalStore({ catalogue }), controller));
    expect(error).to.include({ code: 'creation_aborted', cause: REASON });
    expect(listeners.present).to.equal(0);
  });
}

it('an error of a creation that is no longer awaited is dropped', async () => {
  const controller = new AbortController();
  let fail = (_error: Error): void => undefined;
  const add = async (): Promise<never> => new Promise((_resolve, reject) => (fail = reject));
  const store = createAnimalStore({ catalogue: Object.assign(new InMemoryPetCatalogue(), { add }) });
  const running = store.createPet(REX, { signal: controller.signal });
  controller.abort(REASON);
  expect(await rejectionOf(running)).to.include({ code: 'creation_aborted' });
  // Mocha fails a test with an unhandled rejection.
  fail(new Error('too late'));
  await nextTurn();
});

it('a signal of many concurrent creations has one listener, and none once they have settled or it has ended them', async () => {
  for (const end of ['answer', 'abort']) {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = listenersOf(signal);
    const { store, sound, answer } = makeSlowStore();
    await createAnimalStore({ catalogue: sound }).createPet(REX, { signal });
    const running = Array.from({ length: 20 }, async () => store.createPet(REX, { signal }));
    const settled = Promise.allSettled(running);
    await nextTurn();
    expect(listeners.present).to.equal(1);
    if (end === 'answer') answer();
    else controller.abort(REASON);
    for (const { status } of await settled) expect(status).to.equal(end === 'answer' ? 'fulfilled' : 'rejected');
    expect(listeners.present).to.equal(0);
  }
});

describe('a signal as other runtimes have it', () => {
  it('may be null', async () => {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const { id } = await store.createPet(REX, { signal: null });
    expect(await store.getPet(id, { signal: null })).to.include({ name: 'Rex' });
  });

  it('may lack throwIfAborted and reason, as in React Native', async () => {
    const target = new EventTarget();
    const signal = Object.assign(target, { aborted: false }) as unknown as AbortSignal & { aborted: boolean };
    const creating = makeSlowStore().store.createPet(REX, { signal });
    await nextTurn();
    signal.aborted = true;
    target.dispatchEvent(new Event('abort'));
    expect(await rejectionOf(creating)).to.have.nested.property('cause.name', 'AbortError');
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    expect(await rejectionOf(store.listPets({}, { signal }))).to.include({ name: 'AbortError' });
  });
});

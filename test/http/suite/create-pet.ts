import { expect } from 'chai';
import { before as justBefore, createPet, petOf } from '../expectations.js';
import { get, post, request, type GetService } from '../service.js';

/** The tests of how an animal is added. */
export function declareCreatePet(service: GetService): void {
  describe('createPet', () => {
    it('answers 201 with the animal, members in the order of the interface', async () => {
      const answer = await post(service(), '{"status":"sold","categoryId":7,"name":"Rex"}');
      const { id } = petOf(answer, 201);
      expect(answer.text).to.equal(`{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}`);
    });

    it('leaves the status out if none was given', async () => {
      const answer = await post(service(), '{"name":"Rex","categoryId":7}');
      const { id } = petOf(answer, 201);
      expect(answer.text).to.equal(`{"id":${id},"name":"Rex","categoryId":7}`);
    });

    it('keeps a name exactly, in each answer', async () => {
      // What JSON escapes, what a careless reader of JSON changes, and 1,024 code points of which most take two code units.
      const marks = ' \t\n "\\" \u0001\u001f\u007f \u00e9 e\u0301 \u212b \u01c4 \r\u3000';
      const name = `${'😀'.repeat(1024 - marks.length)}${marks}`;
      const pet = await createPet(service(), JSON.stringify({ name, categoryId: 7 }));
      expect(pet.name).to.equal(name);
      expect(petOf(await get(service(), `/pets/${pet.id}`), 200).name).to.equal(name);
      expect(petOf(await get(service(), `/pets?limit=1&after=${justBefore(pet)}`), 200).name).to.equal(name);
    });

    it('assigns a positive id greater than those before, also for the same body', async () => {
      let before = 0n;
      for (let i = 0; i < 5; i++) {
        const { id } = await createPet(service());
        expect(id).to.match(/^[1-9]\d*$/);
        expect(BigInt(id) > before).to.equal(true);
        before = BigInt(id);
      }
    });

    it('keeps every animal that is added concurrently, each with an id of its own', async () => {
      const names = Array.from({ length: 30 }, (_, i) => `Rex ${i}`);
      const pets = await Promise.all(
        names.map(async (name) => createPet(service(), JSON.stringify({ name, categoryId: 7 }))),
      );
      const found = await Promise.all(pets.map(async ({ id }) => petOf(await get(service(), `/pets/${id}`), 200).name));
      expect(found).to.deep.equal(names);
      expect(new Set(pets.map(({ id }) => id)).size).to.equal(names.length);
    });

    it('ignores a query', async () => {
      const answer = await request(service(), 'POST', `${service().basePath}/pets?limit=0&status=%zz`, {
        body: '{"name":"Rex","categoryId":7}',
      });
      expect(petOf(answer, 201).status).to.equal(undefined);
    });

    it('adds nothing if it answers 400', async () => {
      const last = await createPet(service());
      await post(service(), '{"name":"Rex","categoryId":7,"status":"lost"}');
      expect((await get(service(), `/pets?after=${last.id}`)).text).to.equal('[]');
    });
  });
}

/**
 * Fastify with every header field that Animal Store sends, on the database at `POSTGRES_URL`, with node-postgres as its manual shows it: a
 * pool, one `INSERT … RETURNING` a creation with ids from a sequence, and everything else by default. Prints its port.
 */
import pg from 'pg';
import process from 'node:process';
import { NO_SUCH_ANIMAL } from './parts/errors.js';
import { deprecate, isId, linkToNext, SCHEMAS, startFastify } from './parts/fastify-app.js';

const COLUMNS = 'id, name, category_id, status';

const pool = new pg.Pool({ connectionString: process.env['POSTGRES_URL'] });

const port = await startFastify((v1) => {
  v1.get('/pets', { schema: SCHEMAS.list }, async ({ query }, reply) => {
    const { status, after = 0 } = query;
    const limit = Number(query.limit ?? 20);
    const condition = status === undefined ? '' : 'AND status = $3';
    const text = `SELECT ${COLUMNS} FROM pets WHERE id > $1 ${condition} ORDER BY id LIMIT $2`;
    const { rows } = await pool.query(text, [after, limit + 1, ...(status === undefined ? [] : [status])]);
    const animals = rows.slice(0, limit).map(toAnimal);
    if (rows.length > limit) linkToNext(reply, query, animals.at(-1).id);
    return animals;
  });

  v1.post('/pets', { schema: SCHEMAS.create }, async ({ body: { name, categoryId, status } }, reply) => {
    const text = `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`;
    const { rows } = await pool.query(text, [name, categoryId, status]);
    reply.code(201).header('Location', `/v1/pets/${rows[0].id}`);
    return toAnimal(rows[0]);
  });

  v1.get('/pets/:petId', { schema: SCHEMAS.get }, async ({ params: { petId } }, reply) => {
    deprecate(reply);
    const { rows } = isId(petId)
      ? await pool.query(`SELECT ${COLUMNS} FROM pets WHERE id = $1`, [petId])
      : { rows: [] };
    if (rows.length > 0) return toAnimal(rows[0]);
    return reply.code(404).send(NO_SUCH_ANIMAL);
  });
});
console.log(port);

function toAnimal({ id, name, category_id: categoryId, status }) {
  return { id: Number(id), name, categoryId: Number(categoryId), ...(status !== null && { status }) };
}

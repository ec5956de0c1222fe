import type { Db } from 'mongodb';

/** Stores the last id of an animal that counts as reserved, or something that another program has put in its place. */
export async function setCounter(db: Db, last: unknown): Promise<void> {
  const counters = db.collection<{ _id: string; last: unknown }>('counters');
  await counters.updateOne({ _id: 'pets' }, { $set: { last } }, { upsert: true });
}

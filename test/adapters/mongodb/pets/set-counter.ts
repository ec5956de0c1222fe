import type { Db } from 'mongodb';

/** Stores the last id of an animal that counts as reserved. */
export async function setCounter(db: Db, last: bigint): Promise<void> {
  const counters = db.collection<{ _id: string; last: bigint }>('counters');
  await counters.updateOne({ _id: 'pets' }, { $set: { last } }, { upsert: true });
}

/**
 * Measures things in rounds, one after the other in each, and in reverse in every other round, so that what changes on the
 * machine meanwhile touches all of them alike.
 *
 * @template Thing, Result
 * @param {number} rounds
 * @param {readonly Thing[]} things
 * @param {(thing: Thing) => Promise<Result>} measure
 * @returns {Promise<Result[][]>} The results of each thing, in the order of the rounds.
 */
export async function inRounds(rounds, things, measure) {
  const results = things.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...things.keys()] : [...things.keys()].reverse();
    for (const index of order) results[index].push(await measure(things[index]));
  }
  return results;
}

/** What is done with each store, Animal Store's or bare. The argument is made of a number that is less than its animals. */
export const OPERATIONS = [
  { name: 'list-20', method: 'list', argument: () => ({ limit: 20 }) },
  { name: 'list-100', method: 'list', argument: () => ({ limit: 100 }) },
  { name: 'sold', method: 'list', argument: () => ({ limit: 20, status: 'sold' }) },
  { name: 'get', method: 'find', argument: (i) => BigInt(i + 1) },
  { name: 'create', method: 'add', argument: () => ({ name: 'Rex', categoryId: 7n, status: 'available' }) },
];

/** The name that takes the most bytes in an answer: six for each of its 1,024 characters but one. */
const LARGEST_NAME = `${'\u0001'.repeat(1023)}x`;

/** The body of a creation whose animal takes the most bytes in an answer. */
export const LARGEST_PET = JSON.stringify({ name: LARGEST_NAME, categoryId: 1, status: 'sold' });

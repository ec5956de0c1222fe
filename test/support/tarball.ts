/** Names the package that a run of all tests has packed; without it, the tests of the package pack it themselves. */
export const TARBALL_VARIABLE = 'ANIMAL_STORE_TEST_TARBALL';

/**
 * The address of the public repository, such as `https://github.com/owner/animal-store`. The release fills `repository`,
 * `homepage` and `bugs` of package.json from it, and refuses to run while it is empty.
 */
export const REPOSITORY = '';

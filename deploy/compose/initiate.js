// Run by mongosh on mongo1: initiates the replica set `rs0`, and makes an administrator and the user of Animal Store. Leaves
// alone what is there already, so it can run at every start.

const { ADMIN_PASSWORD, USER_PASSWORD } = process.env;
const HOSTS = ['mongo1:27017', 'mongo2:27017', 'mongo3:27017'];
const DEADLINE_MS = 60_000;

/** Runs an action that may fail with an error of this name, because it was done at an earlier start. */
function unless(codeNames, action) {
  try {
    action();
  } catch (error) {
    if (!codeNames.includes(error.codeName)) throw error;
  }
}

// mongo1 is preferred as the primary: only there can the first user be made without logging in. Once there is a user,
// MongoDB refuses both actions to a client that has not logged in.
const members = HOSTS.map((host, i) => ({ _id: i, host, priority: i === 0 ? 2 : 1 }));
unless(['AlreadyInitialized', 'Unauthorized'], () => rs.initiate({ _id: 'rs0', members }));

const end = Date.now() + DEADLINE_MS;
while (!db.hello().isWritablePrimary) {
  if (Date.now() > end) throw new Error('mongo1 has not become the primary within 60 s');
  sleep(500);
}
unless(['Unauthorized'], () => db.createUser({ user: 'admin', pwd: ADMIN_PASSWORD, roles: ['root'] }));

const admin = connect(`mongodb://admin:${encodeURIComponent(ADMIN_PASSWORD)}@${HOSTS.join(',')}/admin?replicaSet=rs0`);
if (admin.getUser('animal-store') === null) {
  const roles = [{ role: 'readWrite', db: 'animal-store' }];
  admin.createUser({ user: 'animal-store', pwd: USER_PASSWORD, roles });
}

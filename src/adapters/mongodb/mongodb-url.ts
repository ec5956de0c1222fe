import { MongoClient } from 'mongodb';

/** The database that is used if the URL names none. */
const DEFAULT_DATABASE = 'animal-store';

const URL_RULE =
  'must be mongodb:// or mongodb+srv://, then [user:password@]host[:port][/database][?options], with reserved characters percent-encoded';

/** What MongoDB does not accept in the name of a database: the characters, and more than 63 bytes. */
const FORBIDDEN_IN_NAME = /[\0/\\. "$]/;
const NAME_MAX_BYTES = 63;
const NAME_RULE = `must name a database of at most ${NAME_MAX_BYTES} bytes, without the characters / \\ . " $, space and NUL`;

/**
 * Checks the URL of a deployment and a database. Returns the rule that it breaks, which begins with "must" and repeats nothing
 * of the URL but the names of refused options; `undefined` if the URL, its options and the name of its database are well-formed.
 */
export function errorOfMongodbUrl(url: string): string | undefined {
  const error = errorOfForm(url);
  if (error !== undefined) return error;
  const name = databaseNameOf(url);
  return FORBIDDEN_IN_NAME.test(name) || Buffer.byteLength(name) > NAME_MAX_BYTES ? NAME_RULE : undefined;
}

/** As {@link errorOfMongodbUrl}, but takes any name of a database. */
export function errorOfForm(url: string): string | undefined {
  if (isAccepted(url)) {
    return new MongoClient(url).bsonOptions.useBigInt64 === true
      ? "must not have the option useBigInt64: the driver's monitoring fails with it"
      : undefined;
  }
  const refused = refusedOptionsIn(url);
  return refused.length === 0
    ? URL_RULE
    : `must have only options that the MongoDB driver knows, with values that it takes; refused: ${refused.join(', ')}`;
}

/** The name of the database in a well-formed URL, as the driver reads it. @returns `animal-store` if the URL has none. */
export function databaseNameOf(url: string): string {
  return decodeURIComponent(behindHosts(url).pathname.slice(1)) || DEFAULT_DATABASE;
}

/** The names of the options in a URL, in lower case: the driver ignores case. */
export function optionNamesIn(url: string): ReadonlySet<string> {
  return new Set([...behindHosts(url).searchParams.keys()].map((name) => name.toLowerCase()));
}

/**
 * The names of the options for which the driver refuses a URL: those that it does not take in addition to the ones before them.
 * None if the URL is refused without options, or if what looks like an option may be part of a password.
 */
function refusedOptionsIn(url: string): string[] {
  const [base = '', query = ''] = url.split(/\?(.*)/s);
  if (query.includes('@') || !isAccepted(base)) return [];
  const accepted: string[] = [];
  const refused = query.split('&').filter((option) => {
    const isTaken = isAccepted(`${base}?${[...accepted, option].join('&')}`);
    if (isTaken) accepted.push(option);
    return !isTaken;
  });
  return refused.flatMap((option) => /^\w+/.exec(option)?.[0] ?? []);
}

function isAccepted(url: string): boolean {
  try {
    new MongoClient(url);
  } catch {
    return false;
  }
  return true;
}

const SCHEME_AND_HOSTS = /^([a-z+]+:\/\/)[^/?#]*/i;

/** The URL with one host in place of its list of hosts, which `URL` does not take. The driver checks the rest. */
function behindHosts(url: string): URL {
  return new URL(url.replace(SCHEME_AND_HOSTS, '$1host'));
}

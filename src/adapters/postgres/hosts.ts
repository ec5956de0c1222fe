import pg from 'pg';

export interface Host {
  /** The host, with its port if the URL has one, for messages. */
  readonly name: string;
  /** The URL with this host alone, the password in it. */
  readonly url: string;
}

const URL_RULE =
  'it must be postgres://[user[:password]@]host[:port][,host[:port]…]/database[?options], with reserved characters percent-encoded';

/** The scheme; the user and the password; the hosts; the rest, in which an @ or a # would be a part of a password. */
const FORM = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^@/?#]*)((?:[/?][^@#]*)?)$/;

/** @throws TypeError for a malformed URL. Its message repeats neither the user nor the password. */
export function hostsOf(url: string): readonly Host[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = FORM.exec(url) ?? [];
  if (scheme === '') throw new TypeError(`the PostgreSQL URL is malformed: ${URL_RULE}`);
  return hosts.split(',').map((host) => {
    const fault = faultOf(`${scheme}${user}${host}${rest}`, user);
    if (fault !== undefined) throw new TypeError(`the PostgreSQL URL is malformed: ${fault}`);
    return { name: host || 'localhost', url: `${scheme}${user}${host}${rest}` };
  });
}

/** The driver's message, or our rule if that could repeat a part of the user or the password. */
function faultOf(url: string, user: string): string | undefined {
  try {
    new URL(url);
  } catch {
    return URL_RULE;
  }
  try {
    new pg.Client({ connectionString: url });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isSafe = !message.includes(url) && user.split(/\W+/).every((part) => !part || !message.includes(part));
    return isSafe ? message : URL_RULE;
  }
}

export function errorOfPostgresUrl(url: string): string | undefined {
  try {
    hostsOf(url);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

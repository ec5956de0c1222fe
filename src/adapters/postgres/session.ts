import pg from 'pg';
import { AnimalStoreError } from '../../domain/errors.js';
import { StandbyError } from './errors.js';
import type { Host } from './hosts.js';
import type { RunStatement, Text } from './statement.js';
import type { Timeouts } from './timeouts.js';

/**
 * The first statement of each connection. It overrides the settings of the URL, the user and the database that could make an
 * acknowledged commit less safe (the stronger `remote_apply` stays), hide the warning about an uncertain one, or let a statement wait
 * for ever; and spares short statements being compiled, which takes a thousand times as long as running them.
 */
const BEGIN = `SELECT pg_is_in_recovery(),
  set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('client_min_messages', 'warning', false),
  set_config('jit', 'off', false),
  set_config('statement_timeout', $1, false)`;

/** The routine of PostgreSQL that waits for a standby. If somebody ends its wait, the commit is a success with a warning from it. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

export class Session extends pg.Client {
  readonly server: Host;
  readonly #timeouts: Timeouts;
  #isBegun = false;
  /** The warning about a commit that a standby may not have. */
  #uncertainty: unknown;

  constructor(server: Host, timeouts: Timeouts) {
    super({
      connectionString: server.url,
      query_timeout: timeouts.driver,
      keepAlive: true,
      fallback_application_name: 'animal-store',
    });
    this.server = server;
    this.#timeouts = timeouts;
    // The statements under way reject with the error. Without a listener, it would end the process.
    this.on('error', () => undefined);
    this.on('notice', (notice) => {
      if (notice.routine === WAIT_FOR_STANDBY) this.#uncertainty = notice;
    });
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  async begin(): Promise<void> {
    const [row] = await this.run({ text: BEGIN, values: [`${this.#timeouts.server}ms`] });
    if (row?.[0] !== 'f') throw new StandbyError();
    this.#isBegun = true;
  }

  readonly run: RunStatement = async ({ values = [], ...statement }) => {
    const query = { ...statement, values: [...values], rowMode: 'array', types: AS_TEXT } as const;
    return (await this.query<Text[]>(query)).rows;
  };

  /** @throws AnimalStoreError `store_unavailable` if something was committed since the last call that a standby may not have. */
  refuseUncertainty(): void {
    const cause = this.#uncertainty;
    this.#uncertainty = undefined;
    if (cause === undefined) return;
    throw new AnimalStoreError('store_unavailable', 'the wait for the standby was ended', { cause });
  }
}

/** Passes each value on as PostgreSQL writes it, whatever parsers the process has set for the driver. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => String };

import type { Db, Document } from 'mongodb';
import type { OperationLimits } from '../operation.js';
import { mayRetryAtOnce } from '../unavailable-errors.js';

/**
 * Sends a command that may safely run twice, by `Db.command`: the driver's cursors and bulk writes cost more CPU time than the
 * rest of such a command (ADRs 101 and 195).
 *
 * As with these, another server or connection is tried once if the first is lost, unless the URL turns that off.
 *
 * @param command Gets the member `maxTimeMS`. The caller made it for this call.
 * @param retries The option of the client that allows the second attempt.
 */
export async function runCommand(
  db: Db,
  command: Document,
  retries: 'retryReads' | 'retryWrites',
  limits: OperationLimits,
): Promise<Document> {
  const send = (): Promise<Document> => {
    const { maxTimeMS, signal } = limits.startCall();
    command['maxTimeMS'] = maxTimeMS;
    // What `READ_OPTIONS` says, as far as the defaults of `Db.command` differ. It inherits no option of the client, goes to
    // the primary, and copies its options several times, so each of them costs CPU time.
    return db.command(command, { promoteLongs: false, promoteBuffers: true, signal });
  };
  try {
    return await send();
  } catch (error) {
    if (limits.signal.aborted || !db.client.options[retries] || !mayRetryAtOnce(error)) throw error;
    return await send();
  }
}

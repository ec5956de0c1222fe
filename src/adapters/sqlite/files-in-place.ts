import { closeSync, openSync, readSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { MOVED } from './sqlite-errors.js';

/** The first bytes of a write-ahead log, but for the last bit (https://sqlite.org/fileformat2.html#walformat). */
const WAL_MAGIC = 0x377f0682;

/**
 * Notices what SQLite does not: that a file of the open database is no longer at its path, or was cut short. SQLite goes on
 * with what it has open, and all that it writes from then on is gone after a restart.
 */
export class FilesInPlace {
  /** The database, its write-ahead log and its shared memory. A path that is a link is followed anew each time. */
  readonly #paths: readonly string[];
  readonly #opened: readonly (string | undefined)[];
  /** The size of the database when it was last looked at. */
  #size = 0n;

  /** @param path The path of a database that is open, in which something was written. */
  constructor(path: string) {
    const target = realpathSync(path);
    this.#paths = [path, `${target}-wal`, `${target}-shm`];
    this.#opened = this.#paths.map((each) => identityOf(statOf(each)));
  }

  /**
   * What is wrong with the files, as the end of a sentence that begins with the file; `undefined` if all are in place. It takes
   * some ten microseconds.
   *
   * @param sizeOf The size of the database by SQLite, in bytes. It is asked for only if the file has shrunk.
   */
  fault(sizeOf: () => bigint): string | undefined {
    const stats = this.#paths.map(statOf);
    const moved = stats.findIndex((stat, i) => identityOf(stat) !== this.#opened[i]);
    if (moved === 0) return MOVED;
    if (moved > 0) return `is no longer whole: ${this.#paths[moved]} was moved, removed or replaced while it was open`;
    const [database, log] = stats;
    const size = database?.size ?? 0n;
    // After a VACUUM, a file is shorter too, but as long as SQLite says.
    if (size < this.#size && size < sizeOf()) return 'was cut short while it was open';
    this.#size = size;
    return log === undefined || log.size === 0n || this.#hasLogHeader()
      ? undefined
      : 'is no longer whole: its write-ahead log was overwritten while it was open';
  }

  #hasLogHeader(): boolean {
    const header = Buffer.alloc(4);
    // Other than for the database, closing a descriptor of the log ends no lock.
    const descriptor = openSync(this.#paths[1] as string, 'r');
    try {
      readSync(descriptor, header, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
    return (header.readUInt32BE() & ~1) === WAL_MAGIC;
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Which file this is, whatever its name. */
function identityOf(stats: BigIntStats | undefined): string | undefined {
  return stats && `${stats.dev} ${stats.ino}`;
}

import { closeSync, openSync, readSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { MOVED } from './sqlite-errors.js';

/** The first bytes of a write-ahead log, but for the last bit (https://sqlite.org/fileformat2.html#walformat). */
const WAL_MAGIC = 0x377f0682;

/**
 * Detects that a file of the open database is no longer at its path, or was truncated. SQLite does not notice: it continues
 * with the files that it has open, and everything that it writes from then on is lost at a restart.
 */
export class FilesInPlace {
  /** The database, its write-ahead log and its shared memory. A link is resolved again on each check. */
  readonly #paths: readonly string[];
  readonly #opened: readonly (string | undefined)[];
  /** The size of the database at the last check. */
  #size = 0n;

  /** @param path The path of an open database that has been written to. */
  constructor(path: string) {
    const target = realpathSync(path);
    this.#paths = [path, `${target}-wal`, `${target}-shm`];
    this.#opened = this.#paths.map((each) => identityOf(statOf(each)));
  }

  /**
   * What is wrong with the files, as the end of a sentence that begins with the file; `undefined` if all are in place. Takes
   * about ten microseconds.
   *
   * @param sizeOf Returns the size of the database according to SQLite, in bytes. Called only if the file has shrunk.
   */
  fault(sizeOf: () => number): string | undefined {
    const stats = this.#paths.map(statOf);
    const moved = stats.findIndex((stat, i) => identityOf(stat) !== this.#opened[i]);
    if (moved === 0) return MOVED;
    if (moved > 0) return `is no longer intact: ${this.#paths[moved]} was moved, removed or replaced while it was open`;
    const [database, log] = stats;
    const size = database?.size ?? 0n;
    // A VACUUM also shrinks the file, but to the size that SQLite reports.
    if (size < this.#size && size < sizeOf()) return 'was truncated while it was open';
    this.#size = size;
    return log === undefined || log.size === 0n || this.#hasLogHeader()
      ? undefined
      : 'is no longer intact: its write-ahead log was overwritten while it was open';
  }

  #hasLogHeader(): boolean {
    const header = Buffer.alloc(4);
    // Closing a descriptor of the log releases no lock. Closing one of the database would.
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

/** Identifies a file independently of its name. */
function identityOf(stats: BigIntStats | undefined): string | undefined {
  return stats && `${stats.dev} ${stats.ino}`;
}

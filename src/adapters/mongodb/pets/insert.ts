import type { Collection, OptionalUnlessRequiredId } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import { isLostConnection, type Limits } from '../deadline.js';

/** How long to wait after a lost connection, in milliseconds. The driver then waits until it has found the server again. */
const PAUSE_MS = 10;

/**
 * Inserts a document, and tries again until the deadline while it certainly was not sent: the driver gives up every
 * operation that waits for a connection when one connection of the pool is lost. Rejects as `insertOne` does, also if the
 * document was sent and its answer was lost: it may or may not be stored then.
 */
export async function insert<T extends { readonly _id: unknown }>(
  collection: Collection<T>,
  document: OptionalUnlessRequiredId<T>,
  limits: Limits,
): Promise<void> {
  const progress = { wasSent: false };
  // BSON calls this when it makes the bytes of the document, which is the last that happens before they are sent. The errors
  // of the driver do not tell: after an attempt of its own that was sent, a second one may end because it was not.
  const toBSON = (): typeof document => {
    progress.wasSent = true;
    return document;
  };
  Object.defineProperty(document, 'toBSON', { value: toBSON });
  for (;;) {
    limits.signal.throwIfAborted();
    try {
      await collection.insertOne(document, { ...limits });
      return;
    } catch (error) {
      if (progress.wasSent || !isLostConnection(error)) throw error;
    }
    await delay(PAUSE_MS);
  }
}

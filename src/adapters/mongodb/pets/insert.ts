import type { Collection, OptionalUnlessRequiredId } from 'mongodb';
import type { Limits } from '../deadline.js';
import { overLostConnections } from '../lost-connections.js';

/**
 * Inserts a document, and tries again until the deadline if a connection was lost and the document was not sent. Rejects as
 * `insertOne` does, also if the document was sent and its answer was lost: it may or may not be stored then.
 */
export async function insert<T extends { readonly _id: unknown }>(
  collection: Collection<T>,
  document: OptionalUnlessRequiredId<T>,
  limits: Limits,
): Promise<void> {
  let wasSent = false;
  // BSON calls this when it makes the bytes of the document, which is the last that happens before they are sent. The errors
  // of the driver do not tell: after an attempt of its own that was sent, a second one may end because it was not.
  const toBSON = (): typeof document => {
    wasSent = true;
    return document;
  };
  Object.defineProperty(document, 'toBSON', { value: toBSON });
  await overLostConnections(
    limits,
    async () => collection.insertOne(document, { ...limits }),
    () => !wasSent,
  );
}

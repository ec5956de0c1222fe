import type { Collection, OptionalUnlessRequiredId } from 'mongodb';
import type { Limits } from '../deadline.js';
import { overLostConnections } from '../lost-connections.js';

/**
 * A document that knows whether it was sent. The errors of the driver do not tell: after an attempt of its own that was sent,
 * a second one may end because it was not.
 */
class OutgoingDocument {
  #wasSent = false;

  constructor(document: object) {
    Object.assign(this, document);
  }

  get wasSent(): boolean {
    return this.#wasSent;
  }

  /** BSON calls this when it makes the bytes of the document, which is the last that happens before they are sent. */
  toBSON(): this {
    this.#wasSent = true;
    return this;
  }
}

/**
 * Inserts a document, and tries again until the deadline if a connection was lost and the document was not sent. Rejects as
 * `insertOne` does, also if the document was sent and its answer was lost: it may or may not be stored then.
 */
export function insert<T extends { readonly _id: unknown }>(
  collection: Collection<T>,
  document: T,
  limits: Limits,
): Promise<unknown> {
  const outgoing = new OutgoingDocument(document);
  return overLostConnections(
    limits,
    async () => collection.insertOne(outgoing as unknown as OptionalUnlessRequiredId<T>, limits.options()),
    () => !outgoing.wasSent,
  );
}

import type { CallOptions } from '../../domain/call-options.js';
import { idempotencyKeyReused, type PetCreation } from '../../domain/idempotency-key.js';
import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../domain/pet.js';
import { sha256Of } from '../../domain/sha256.js';
import { membersJson } from '../../lossless-json/members-json.js';
import { createdPet, petPage } from './pet-responses.js';
import { checkOptions, type CheckedOptions, type RemotePetCatalogueOptions } from './remote-options.js';
import { requestWithRetry } from './request-with-retry.js';
import { responseError, type RemoteResponse } from './send-request.js';

/**
 * A {@link PetCatalogue} that calls another animal store over HTTP. Needs only `fetch`.
 *
 * Retries a request that gets no response, or a status of a temporary failure (408, 425, 429, 502, 503, 504, 520 to 524, 529),
 * until the deadline. The pauses grow, and respect `Retry-After`. At the deadline, the call rejects with `store_unavailable`
 * and the `cause`. For any other status, and for a response that does not conform to the interface or cannot be read, it rejects
 * with a `RemoteStoreError`.
 *
 * Each creation carries an `Idempotency-Key`, so that the service stores the animal once, however often the request is sent: a
 * new key for `add`, the SHA-256 of the caller's key for `addOnce`. The service keeps the keys of each API key's owner apart. A
 * service that does not support the header field, because its store has no `addOnce`, refuses each creation.
 * If a response was lost, `addOnce` resolves with `replayed: true`, because the service had already stored the animal.
 *
 * @example
 * const catalogue = new RemotePetCatalogue({ url: 'https://animals.example/v1', apiKey });
 * const store = createAnimalStore({ catalogue });
 */
export class RemotePetCatalogue implements PetCatalogue {
  readonly #service: CheckedOptions;

  /** @throws TypeError that names the option that breaks its rule. */
  constructor(options: RemotePetCatalogueOptions) {
    this.#service = checkOptions(options);
  }

  /** See `PetCatalogue`. */
  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    // Not `crypto.randomUUID`, which browsers provide only to secure pages.
    const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
    return createdPet(await this.#create(newPet, key, options), newPet);
  }

  /** See `PetCatalogue`. */
  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    // The key may be longer than the header field, or not ASCII.
    const response = await this.#create(newPet, await sha256Of(idempotencyKey), options);
    return { pet: createdPet(response, newPet), replayed: response.headers.get('idempotency-replayed') === 'true' };
  }

  /** See `PetCatalogue`. */
  async list(query: PetQuery, options?: CallOptions): Promise<PetPage> {
    const { limit, status, after } = query;
    const ownStatus = status === undefined ? '' : `&status=${status}`;
    const ownAfter = after === undefined ? '' : `&after=${after}`;
    const target = `/pets?limit=${limit}${ownStatus}${ownAfter}`;
    const response = await requestWithRetry(this.#service, { method: 'GET', target }, options);
    if (response.status !== 200) throw responseError(response);
    return petPage(response, query);
  }

  /** See `PetCatalogue`. Lists the animal that follows the previous id, because the operation for one animal is deprecated. */
  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    // Ids are positive, and no int64 precedes INT64_MIN.
    if (id < 1n) return undefined;
    const { pets } = await this.list({ limit: 1, after: id - 1n }, options);
    return pets.find((pet) => pet.id === id);
  }

  async #create(newPet: NewPet, key: string, options?: CallOptions): Promise<RemoteResponse> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const request = { method: 'POST', target: '/pets', headers, body: `{${membersJson(newPet)}}` } as const;
    const response = await requestWithRetry(this.#service, request, options);
    if (response.status === 201) return response;
    const error = responseError(response);
    if (error.status === 422 && error.code === 'idempotency_key_reused') throw idempotencyKeyReused();
    // A valid creation has no other parameter.
    if (error.code === 'invalid_parameter') throw responseError(response, 'it does not support Idempotency-Key');
    throw error;
  }
}

import type { CallOptions } from '../../domain/call-options.js';
import { idempotencyKeyReused, type PetCreation } from '../../domain/idempotency-key.js';
import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../domain/pet.js';
import { sha256Of } from '../../domain/sha256.js';
import { membersJson } from '../../json/members-json.js';
import { createdPet, petPage } from './pet-responses.js';
import { checkService, type CheckedService, type RemoteService } from './remote-options.js';
import type { RemoteStoreError } from './remote-store-error.js';
import { requestWithRetry } from './request-with-retry.js';
import { responseError, type RemoteResponse } from './send-request.js';

/** The options of {@link RemotePetCatalogue}. */
export interface RemotePetCatalogueOptions extends RemoteService {
  /**
   * Whether the service supports `Idempotency-Key`; it does if its store has `addOnce`. If not, the catalogue has no `addOnce`,
   * and sends each creation only once: if there is no response, `add` rejects with `store_unavailable`.
   * @default true
   */
  readonly idempotencyKeys?: boolean | undefined;
}

/**
 * A {@link PetCatalogue} that calls another animal store over HTTP. Needs only `fetch`.
 *
 * Retries a request that gets no response, or a status of a temporary failure (408, 425, 429, 502, 503, 504, 520 to 524, 529),
 * until the deadline. The pauses grow, and respect `Retry-After`. At the deadline, the call rejects with `store_unavailable`
 * and the `cause`. For any other status, and for a response that does not conform to the interface, it rejects with a
 * {@link RemoteStoreError}.
 *
 * Each creation carries an `Idempotency-Key`, so that the service stores the animal once, however often the request is sent: a
 * new key for `add`, the SHA-256 of the caller's key for `addOnce`. The service keeps the keys of each API key's owner apart.
 * If a response was lost, `addOnce` resolves with `replayed: true`, because the service had already stored the animal.
 *
 * @example
 * const catalogue = new RemotePetCatalogue({ url: 'https://animals.example/v1', apiKey });
 * const store = createAnimalStore({ catalogue });
 */
export class RemotePetCatalogue implements PetCatalogue {
  readonly #service: CheckedService;
  readonly #supportsKeys: boolean;
  /** See `PetCatalogue`. Missing if `idempotencyKeys` is false. */
  readonly addOnce?: NonNullable<PetCatalogue['addOnce']>;

  /** @throws TypeError that names the option that breaks its rule. */
  constructor({ idempotencyKeys = true, ...service }: RemotePetCatalogueOptions) {
    if (typeof idempotencyKeys !== 'boolean') throw new TypeError('idempotencyKeys must be a boolean');
    this.#service = checkService(service);
    this.#supportsKeys = idempotencyKeys;
    if (idempotencyKeys) this.addOnce = async (newPet, key, options) => this.#addOnce(newPet, key, options);
  }

  /** See `PetCatalogue`. */
  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    // Not `crypto.randomUUID`, which browsers provide only to secure pages.
    const key = this.#supportsKeys ? crypto.getRandomValues(new BigUint64Array(2)).join('-') : undefined;
    const response = await this.#post(newPet, key, options);
    if (response.status !== 201) throw this.#errorOfCreation(response, key);
    return createdPet(response, newPet);
  }

  /** See `PetCatalogue`. */
  async list(query: PetQuery, options?: CallOptions): Promise<PetPage> {
    const { limit, status, after } = query;
    const ownStatus = status === undefined ? '' : `&status=${status}`;
    const ownAfter = after === undefined ? '' : `&after=${after}`;
    const target = `/pets?limit=${limit}${ownStatus}${ownAfter}`;
    const response = await requestWithRetry(this.#service, { method: 'GET', target }, true, options);
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

  async #addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    // The key may be longer than the header field, or not ASCII.
    const key = await sha256Of(idempotencyKey);
    const response = await this.#post(newPet, key, options);
    if (response.status === 422 && responseError(response).code === 'idempotency_key_reused') {
      throw idempotencyKeyReused();
    }
    if (response.status !== 201) throw this.#errorOfCreation(response, key);
    return { pet: createdPet(response, newPet), replayed: response.headers.get('idempotency-replayed') === 'true' };
  }

  async #post(newPet: NewPet, key: string | undefined, options?: CallOptions): Promise<RemoteResponse> {
    const body = `{${membersJson(newPet)}}`;
    const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) };
    return requestWithRetry(
      this.#service,
      { method: 'POST', target: '/pets', headers, body },
      key !== undefined,
      options,
    );
  }

  /** A service answers `invalid_parameter` to a creation only if it does not support idempotency keys. */
  #errorOfCreation(response: RemoteResponse, key: string | undefined): RemoteStoreError {
    const error = responseError(response);
    if (key === undefined || error.code !== 'invalid_parameter') return error;
    return responseError(response, 'it does not support Idempotency-Key, so set idempotencyKeys to false');
  }
}

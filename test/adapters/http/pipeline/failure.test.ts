import { expect } from 'chai';
import { failureResponse } from '../../../../src/adapters/http/pipeline/failure.js';
import { AnimalStoreError, type AnimalStoreErrorCode } from '../../../../src/domain/errors.js';
import { fetchInMemory, SILENT } from '../../../support/in-memory-interface.js';

describe('the response to a request that failed', () => {
  it('is a 500 without the message for an error of no operation, because none manages API keys or moves animals', () => {
    const codes: readonly AnimalStoreErrorCode[] = [
      'invalid_key_request',
      'api_key_not_found',
      'api_key_not_active',
      'invalid_record',
      'restore_conflict',
      'transfer_not_supported',
      'creation_aborted',
    ];
    for (const code of codes) {
      const { status, body } = failureResponse(new AnimalStoreError(code, 'a secret of the registry'));
      expect([status, JSON.parse(String(body))]).to.deep.equal([
        500,
        { code: 'internal_error', message: 'internal server error', status: 500 },
      ]);
    }
  });

  it('is a 503, marked as deprecated as every response of getPet, if only the store could verify the key', async () => {
    const verify = async (): Promise<never> => Promise.reject(new AnimalStoreError('store_unavailable', 'silent'));
    const response = await fetchInMemory({ apiKeys: { verify }, log: SILENT })('/v1/pets/1');
    expect([response.status, response.headers.get('Deprecation')]).to.deep.equal([503, '@1795132800']);
  });
});

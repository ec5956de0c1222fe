import { expect } from 'chai';
import { failureResponse } from '../../../../src/adapters/http/pipeline/failure.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { fetchInMemory, SILENT } from '../../../support/in-memory-interface.js';

describe('the answer to a request that failed', () => {
  for (const code of [
    'invalid_key_request',
    'api_key_not_found',
    'api_key_not_in_force',
    'invalid_record',
    'restore_conflict',
    'transfer_not_supported',
    'creation_aborted',
  ] as const) {
    it(`is a 500 without the message for ${code}, because no operation manages API keys, moves animals or aborts a creation`, () => {
      const { status, body } = failureResponse(new AnimalStoreError(code, 'a secret of the registry'));
      expect(status).to.equal(500);
      expect(JSON.parse(String(body))).to.have.property('code', 'internal_error');
      expect(body).not.to.include('secret');
    });
  }

  it('is a 503, marked as deprecated as every answer of getPet, if only the store could verify the key', async () => {
    const verify = async (): Promise<never> => Promise.reject(new AnimalStoreError('store_unavailable', 'silent'));
    const answer = await fetchInMemory({ apiKeys: { verify }, log: SILENT })('/v1/pets/1');
    expect([answer.status, answer.headers.get('Deprecation')]).to.deep.equal([503, '@1795132800']);
  });
});

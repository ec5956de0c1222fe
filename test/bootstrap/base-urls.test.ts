import { expect } from 'chai';
import { baseUrlsOf } from '../../src/bootstrap/base-urls.js';

const baseUrl = 'https://api.example.com/shop/v1';
const stagingBaseUrl = 'https://staging.example.com/v1';
const STAGING = { url: stagingBaseUrl, description: 'Staging' };

describe('the addresses of the service', () => {
  it('are its own base path alone by default', () => {
    const servers = [{ url: './v1', description: 'This service' }];
    expect(baseUrlsOf({ baseUrl: undefined, stagingBaseUrl: undefined })).to.deep.equal({ basePath: '/v1', servers });
    expect(baseUrlsOf({ baseUrl: undefined, stagingBaseUrl }).servers).to.deep.equal([...servers, STAGING]);
  });

  it('are those that are given, with the base path of production', () => {
    const servers = [{ url: baseUrl, description: 'Production' }];
    expect(baseUrlsOf({ baseUrl, stagingBaseUrl: undefined })).to.deep.equal({ basePath: '/shop/v1', servers });
    expect(baseUrlsOf({ baseUrl, stagingBaseUrl }).servers).to.deep.equal([...servers, STAGING]);
  });
});

import { DEFAULT_BASE_PATH } from '../adapters/http/pipeline/target.js';
import { thisService, type ApiServer } from '../adapters/http/reference/openapi.js';
import type { ServerConfig } from './server-config.js';

/**
 * The base path of the operations, and the addresses in the OpenAPI document.
 *
 * @param unnamed The production address if none is configured, made from that path.
 */
export function baseUrlsOf(
  { baseUrl, stagingBaseUrl }: Pick<ServerConfig, 'baseUrl' | 'stagingBaseUrl'>,
  unnamed: (basePath: string) => ApiServer = thisService,
): { readonly basePath: string; readonly servers: readonly ApiServer[] } {
  const basePath = baseUrl === undefined ? DEFAULT_BASE_PATH : new URL(baseUrl).pathname;
  return {
    basePath,
    servers: [
      baseUrl === undefined ? unnamed(basePath) : { url: baseUrl, description: 'Production' },
      ...(stagingBaseUrl === undefined ? [] : [{ url: stagingBaseUrl, description: 'Staging' }]),
    ],
  };
}

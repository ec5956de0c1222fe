import { DEFAULT_BASE_PATH } from '../../adapters/http/pipeline/target.js';
import { thisService, type ApiServer } from '../../adapters/http/operations/openapi.js';

export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Clients cannot connect to an address that means every interface. */
export function reachableOrigin(origin: string): string {
  return origin.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
}

/** @param unnamed The production address if none is configured, made from the base path. */
export function baseUrlsOf(
  { baseUrl, stagingBaseUrl }: { readonly baseUrl?: string | undefined; readonly stagingBaseUrl?: string | undefined },
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

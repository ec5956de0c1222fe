import type { Service } from '../service.js';

/**
 * Replaces the words in capitals in a raw request: the header lines `HOST`, `KEY` and `JSON`; `BASE`, the base path; and `PETS`,
 * the path of the collection.
 */
export function filledIn({ port, key, basePath }: Service, bytes: string): string {
  return bytes
    .replaceAll('HOST', `Host: 127.0.0.1:${port}`)
    .replaceAll('KEY', `Authorization: Bearer ${key}`)
    .replaceAll('JSON', 'Content-Type: application/json')
    .replaceAll('BASE', basePath)
    .replaceAll('PETS', `${basePath}/pets`);
}

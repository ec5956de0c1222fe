import { send } from '../bootstrap/request.js';
import type { Listening } from '../support/command.js';

/** The ids of all animals of a service, page by page, by its own `Link` from each page to the next. */
export async function storedIds({ url }: Listening, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = `${url}/pets?limit=100`; next !== undefined;) {
    const { status, headers, body } = await send(next, { key });
    if (status !== 200) throw new Error(`a list was answered ${status}: ${body}`);
    ids.push(...Array.from(body.matchAll(/"id":(\d+)/g), ([, id]) => id ?? ''));
    const path = /<([^>]+)>; rel="next"/.exec(headers['link']?.toString() ?? '')?.[1];
    next = path && new URL(path, url).href;
  }
  return ids;
}

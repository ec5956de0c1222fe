import type { Listening } from '../support/command.js';
import { send } from '../support/request.js';

/** The ids of all animals of a service, page by page, by its own `Link` from each page to the next. */
export async function storedIds({ url }: Pick<Listening, 'url'>, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = `${url}/pets?limit=100`; next !== undefined;) {
    const response = await send(next, { key });
    if (response.status !== 200) throw new Error(`a list was answered ${response.status}: ${response.text}`);
    ids.push(...Array.from(response.text.matchAll(/"id":(\d+)/g), ([, id]) => id ?? ''));
    const path = /<([^>]+)>; rel="next"/.exec(response.header('Link') ?? '')?.[1];
    next = path && new URL(path, url).href;
  }
  return ids;
}

import type { Listening } from '../support/command.js';
import { send } from '../support/request.js';

/** The ids of all animals of a service, page by page, by its own `Link` from each page to the next. */
export async function storedIds({ url }: Pick<Listening, 'url'>, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = `${url}/pets?limit=100`; next !== undefined;) {
    const answer = await send(next, { key });
    if (answer.status !== 200) throw new Error(`a list was answered ${answer.status}: ${answer.text}`);
    ids.push(...Array.from(answer.text.matchAll(/"id":(\d+)/g), ([, id]) => id ?? ''));
    const path = /<([^>]+)>; rel="next"/.exec(answer.header('Link') ?? '')?.[1];
    next = path && new URL(path, url).href;
  }
  return ids;
}

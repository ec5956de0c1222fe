import { useRemoteStore } from './use-remote-store.js';

/** A worker of Cloudflare's runtime, which takes the address and the key in its query. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    return Response.json(await useRemoteStore(searchParams.get('url') ?? '', searchParams.get('key') ?? ''));
  },
};

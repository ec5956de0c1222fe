import { useRemoteStore } from './use-remote-store.js';

/** A worker for Cloudflare's runtime, which reads the address and the key from its query. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    return Response.json(await useRemoteStore(searchParams.get('url') ?? '', searchParams.get('key') ?? ''));
  },
};

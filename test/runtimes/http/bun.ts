import { handler } from './handler.js';

declare const Bun: { serve(options: object): { readonly port: number } };

console.log(`port ${Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handler }).port}`);

import { handler } from './handler.js';

declare const Deno: { serve(options: object, handler: (request: Request) => Promise<Response>): unknown };

Deno.serve(
  { hostname: '127.0.0.1', port: 0, onListen: ({ port }: { port: number }) => console.log(`port ${port}`) },
  handler,
);

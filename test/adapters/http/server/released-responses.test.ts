import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { RequestHandler } from '../../../../src/adapters/http/server/http-server.js';
import { readBody } from '../../../../src/adapters/http/node/read-body.js';
import type { RawConnection } from '../../../support/raw-connection.js';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from './serving.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi';

describe('a response whose exchange is over', () => {
  let connection: RawConnection;
  let held: WeakRef<object> | undefined;

  /** Sends a request to a server of this handler, and notes the response without holding it. */
  async function ask(request: string, handler: RequestHandler): Promise<void> {
    held = undefined;
    const port = await listen((incoming, response) => {
      held ??= new WeakRef(response);
      return handler(incoming, response);
    });
    connection = await open(port);
    await connection.ask(request);
  }

  async function isCollected(): Promise<boolean> {
    await setImmediate();
    collectGarbage();
    return held?.deref() === undefined;
  }

  async function expectOpenConnection(): Promise<void> {
    expect((await connection.ask(getBytes('/'))).status).to.equal(200);
  }

  const HANDLERS: Record<string, readonly [request: string, RequestHandler]> = {
    'a handler that answers at once': [getBytes('/'), (_, response) => response.end()],
    'a handler that reads the body': [POST, async (request, response) => response.end(await readBody(request, 9))],
  };
  for (const [giver, [request, handler]] of Object.entries(HANDLERS)) {
    it(`is released before the next request if ${giver} gave it`, async () => {
      await ask(request, handler);
      let turns = 0;
      while (!(await isCollected())) expect(++turns, 'turns of the event loop').to.be.below(10);
      await expectOpenConnection();
    });
  }

  it('is released in time if its handler returned before it answered', async () => {
    await ask(POST, (_, response) => void setTimeout(() => response.end()));
    await until(isCollected);
    await expectOpenConnection();
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { ReceivedResponse } from '../support/received-response.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { RawConnection } from '../support/raw-connection.js';
import { send } from '../support/request.js';
import { expectErrorBody, petOf, petsOf, type PetText } from './expectations.js';
import { connections, type FuzzConnection, type FuzzRequest } from './fuzz/requests.js';

const KEY = 'a-key-of-sixteen.';

/** The same in CI, so that a failure there is that of the change; random elsewhere, so that every run tries others. */
const SEED = process.env['CI'] === 'true' ? 1 : Math.floor(Math.random() * 2 ** 31);

/** How often it tries; set `FUZZ_RUNS` for a longer search. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);

describe('a server that gets requests of all shapes', function () {
  this.timeout(60_000 + RUNS * 1000);
  let command: RunningCommand;
  let lastId = '0';

  before(async () => {
    command = await startCommand(['--log-level', 'warn'], { API_KEYS: `me:${KEY}` });
  });

  /** Sends what a connection sends, and checks each response. Resolves to the animals that were created. */
  async function play({ requests, cuts }: FuzzConnection): Promise<PetText[]> {
    using connection = await RawConnection.open(command.port);
    const texts = requests.map(({ bytes }) =>
      bytes.replace('Bearer KEY', `Bearer ${KEY}`).replace('FRESH', randomUUID()),
    );
    const sent = sendInPieces(connection, Buffer.from(texts.join(''), 'latin1'), cuts);
    const created: PetText[] = [];
    let isLast = false;
    for (const request of requests) {
      const response = await receive(connection, request);
      check(response, request);
      if (request.status === 201) created.push(petOf(response, 201));
      ({ isLast } = response);
      if (isLast) break;
    }
    await sent;
    connection.end();
    // The server does not read what comes after its last response, so a client that is still sending can get a reset.
    const surplus = connection.finished().catch((error: unknown) => (isLast ? '' : String(error)));
    expect(await surplus).to.equal('');
    return created;
  }

  /** The animals that were created since the last call. */
  async function newPets(): Promise<PetText[]> {
    const pets: PetText[] = [];
    for (;;) {
      const response = await send(`${command.url}/pets?limit=100&after=${lastId}`, { key: KEY });
      const page = petsOf(response.text);
      pets.push(...page);
      lastId = page.at(-1)?.id ?? lastId;
      if (response.header('Link') === undefined) return pets;
    }
  }

  it(`answers each as the contract says, in order, and lists what it has acknowledged (seed ${SEED})`, async () => {
    const property = fc.asyncProperty(fc.array(connections, { minLength: 1, maxLength: 3 }), async (all) => {
      // A run that failed, and is tried again in a smaller form, has left animals.
      await newPets();
      const playing = all.map(play);
      // Even if one connection fails, the others must have ended before the next run.
      await Promise.allSettled(playing);
      const created = (await Promise.all(playing)).flat();
      const byId = (a: PetText, b: PetText): number => Number(BigInt(a.id) - BigInt(b.id));
      expect(await newPets()).to.deep.equal(created.sort(byId));
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    expect((await send(command.url.replace('/v1', '/livez'))).status).to.equal(200);
    expect(command.stderr).to.equal('');
  });
});

/** The final response to a request. */
async function receive(connection: RawConnection, { isHead }: FuzzRequest): Promise<ReceivedResponse> {
  for (;;) {
    const response = await connection.receive({ head: isHead });
    if (response.status !== 100) return response;
  }
}

function check(response: ReceivedResponse, { status, code, isHead, requestId, isLast, bytes }: FuzzRequest): void {
  const what = `${bytes.slice(0, 300)} → ${response.status} ${response.text.slice(0, 300)}`;
  expect(response.status, what).to.equal(status);
  expect(response.header('X-Content-Type-Options')).to.equal('nosniff');
  if (requestId === undefined) expect(response.header('X-Request-Id')).to.match(/^[0-9a-f-]{36}$/);
  else expect(response.header('X-Request-Id')).to.equal(requestId);
  if (code !== undefined && !isHead) expect(expectErrorBody(response).code, what).to.equal(code);
  // A response may be the last also because more than one request was sent ahead.
  if (isLast === true) expect(response.isLast, what).to.equal(true);
}

/** Sends the bytes in pieces, each in its own turn of the event loop. */
async function sendInPieces(connection: RawConnection, bytes: Buffer, cuts: readonly number[]): Promise<void> {
  let at = 0;
  for (const end of [...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b), bytes.length]) {
    connection.send(bytes.subarray(at, end));
    at = end;
    await new Promise(setImmediate);
  }
}

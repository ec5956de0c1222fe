import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { clientOf } from '../client-of.js';

const NOT_PRIMARY = { code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const UNAUTHORIZED = { code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' };

const REX = { id: 7n, name: 'Rex', categoryId: 7n } as const;

let server: DatalessMongodb;
let proxy: TcpProxy;

async function startServer(): Promise<void> {
  server = await startDatalessMongodb();
  proxy = await startTcpProxy(server.port);
}

/** A catalogue, its client, and how many commands of a name the client has sent. */
function open(command: string, query = ''): { catalogue: MongoPetCatalogue; client: MongoClient; sent: () => number } {
  const options = { query: `directConnection=true${query}`, monitorCommands: true, deadlineMs: 20_000 };
  const client = clientOf(proxy, options);
  let sent = 0;
  client.on('commandStarted', ({ commandName }) => void (commandName === command && sent++));
  return { catalogue: new MongoPetCatalogue(client.db('zoo'), { deadlineMs: 20_000 }), client, sent: () => sent };
}

/** Loses the connection of the next command of a name, and of no other. */
function loseNext(command: string): void {
  let isLost = false;
  proxy.judge((chunk) => {
    if (isLost || !chunk.includes(command)) return 'pass';
    isLost = true;
    return 'lose request';
  });
}

describe('a read from MongoDB', function () {
  this.timeout(30_000);
  beforeEach(startServer);

  it('is tried again over a new connection if its own is lost', async () => {
    const { catalogue, sent } = open('find');
    loseNext('find');
    expect(await catalogue.find(1n)).to.equal(undefined);
    expect(sent()).to.equal(2);
  });

  it('is tried again if the server says that it is not the primary', async () => {
    const { catalogue, client, sent } = open('find');
    server.refuse(NOT_PRIMARY, ['find']);
    client.once('commandFailed', () => server.refuse({}, []));
    expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [] });
    expect(sent()).to.equal(2);
  });

  it('is tried at most twice', async () => {
    const { catalogue, sent } = open('find');
    server.refuse(NOT_PRIMARY, ['find']);
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('code', 'store_unavailable');
    expect(sent()).to.equal(2);
  });

  it('is not tried again if the server refuses it', async () => {
    const { catalogue, sent } = open('find');
    server.refuse(UNAUTHORIZED, ['find']);
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('code', 13);
    expect(sent()).to.equal(1);
  });

  it('is not tried again if the URL says so', async () => {
    const { catalogue, sent } = open('find', '&retryReads=false');
    loseNext('find');
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('code', 'store_unavailable');
    expect(sent()).to.equal(1);
  });
});

describe('animals restored into MongoDB by one command', function () {
  this.timeout(30_000);
  beforeEach(startServer);

  it('are not sent again if the URL says so', async () => {
    const { catalogue, sent } = open('insert', '&retryWrites=false');
    loseNext('insert');
    expect(await rejectionOf(catalogue.restore([REX]))).to.have.property('code', 'store_unavailable');
    expect(sent()).to.equal(1);
  });

  it('are not restored if the server refuses one for any reason but its id', async () => {
    const { catalogue } = open('insert');
    const writeErrors = [{ index: 0, code: 121, errmsg: 'Document failed validation' }];
    server.refuse({ ok: 1, n: 0, writeErrors }, ['insert']);
    expect(await rejectionOf(catalogue.restore([REX]))).to.include({
      code: 121,
      message: 'Document failed validation',
    });
  });

  it('are not restored if no majority confirms them', async () => {
    const { catalogue } = open('insert');
    const writeConcernError = {
      code: 64,
      codeName: 'WriteConcernTimeout',
      errmsg: 'waiting for replication timed out',
    };
    server.refuse({ ok: 1, n: 1, writeConcernError }, ['insert']);
    expect(await rejectionOf(catalogue.restore([REX]))).to.have.property('code', 'store_unavailable');
  });
});

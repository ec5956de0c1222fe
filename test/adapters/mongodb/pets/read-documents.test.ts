import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { clientOf } from '../client-of.js';

const NOT_PRIMARY = { code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const UNAUTHORIZED = { code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' };

describe('a read from MongoDB', function () {
  this.timeout(30_000);
  let server: DatalessMongodb;
  let proxy: TcpProxy;

  beforeEach(async () => {
    server = await startDatalessMongodb();
    proxy = await startTcpProxy(server.port);
  });

  /** A catalogue, its client, and how many reads the client has sent. */
  function open(query = ''): { catalogue: MongoPetCatalogue; client: MongoClient; sent: () => number } {
    const options = { query: `directConnection=true${query}`, monitorCommands: true, deadlineMs: 20_000 };
    const client = clientOf(proxy, options);
    let sent = 0;
    client.on('commandStarted', ({ commandName }) => void (commandName === 'find' && sent++));
    return { catalogue: new MongoPetCatalogue(client.db('zoo'), { deadlineMs: 20_000 }), client, sent: () => sent };
  }

  /** Loses the connection of the next read, and of no other. */
  function loseNextRead(): void {
    let isLost = false;
    proxy.judge((chunk) => {
      if (isLost || !chunk.includes('find')) return 'pass';
      isLost = true;
      return 'lose request';
    });
  }

  it('is tried again over a new connection if its own is lost', async () => {
    const { catalogue, sent } = open();
    loseNextRead();
    expect(await catalogue.find(1n)).to.equal(undefined);
    expect(sent()).to.equal(2);
  });

  it('is tried again if the server says that it is not the primary', async () => {
    const { catalogue, client, sent } = open();
    server.refuse(NOT_PRIMARY, ['find']);
    client.once('commandFailed', () => server.refuse({}, []));
    expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [] });
    expect(sent()).to.equal(2);
  });

  it('is tried at most twice', async () => {
    const { catalogue, sent } = open();
    server.refuse(NOT_PRIMARY, ['find']);
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('code', 'store_unavailable');
    expect(sent()).to.equal(2);
  });

  it('is not tried again if the server refuses it', async () => {
    const { catalogue, sent } = open();
    server.refuse(UNAUTHORIZED, ['find']);
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('code', 13);
    expect(sent()).to.equal(1);
  });

  it('is not tried again if the URL says so', async () => {
    const { catalogue, sent } = open('&retryReads=false');
    loseNextRead();
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('code', 'store_unavailable');
    expect(sent()).to.equal(1);
  });
});

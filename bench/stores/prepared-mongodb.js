/**
 * Runs a MongoDB server of prepared replies until SIGTERM, and prints its URL: `node stores/prepared-mongodb.js ANIMALS`, the
 * number of animals in its collection `pets`. It answers at once, as the primary of a replica set, and stores nothing: what
 * is measured is its client, not a database.
 */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { BSON } from 'mongodb';
import { animal } from '../animals.js';

const { Binary, Double, Int32, Long, Timestamp } = BSON;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const INT32_LENGTH = 4;
const HEADER_LENGTH = 16;
/** The length of what an `OP_MSG` has between its header and its document: flags, and the kind of the section. */
const OP_MSG_LENGTH = 5;
/** The length of what an `OP_REPLY` has there: flags, the cursor's id, where it starts, and the number of documents. */
const OP_REPLY_LENGTH = 20;

const NOW = new Timestamp({ t: 1_790_000_000, i: 1 });
/** What each answer of a member of a replica set ends with. */
const END = {
  ok: new Double(1),
  $clusterTime: { clusterTime: NOW, signature: { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO } },
  operationTime: NOW,
};
const INDEX_KEYS = [{ _id: 1 }, { status: 1, _id: 1 }, { digest: 1 }];
const INDEXES = INDEX_KEYS.map((key) => ({
  v: 2,
  key,
  name: JSON.stringify(key),
  ...('digest' in key && { unique: true }),
}));

const count = Number(process.argv[2]);
const pets = Array.from({ length: count }, (_, i) => documentOf(i + 1));
/** Every page that was asked for, as the bytes of its answer. */
const pages = new Map();
/** The greatest id that was reserved. */
let last = count;

const server = createServer(serve).listen(0, '127.0.0.1');
await once(server, 'listening');
const me = `127.0.0.1:${server.address().port}`;
const HELLO = answer({
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  setName: 'rs0',
  setVersion: 1,
  hosts: [me],
  primary: me,
  me,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 25,
});
const DONE = answer({});
process.on('SIGTERM', () => process.exit(0));
console.log(`mongodb://${me}/animal-store-bench?replicaSet=rs0`);

/** Answers the requests of a connection, one after the other. */
function serve(socket) {
  let received = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    while (received.length >= HEADER_LENGTH && received.length >= received.readInt32LE(0)) {
      const request = received.subarray(0, received.readInt32LE(0));
      socket.write(messageOf(request));
      received = received.subarray(request.length);
    }
  });
}

/** The bytes of the message that answers a request. */
function messageOf(request) {
  const isOld = request.readInt32LE(12) === OP_QUERY;
  const body = isOld ? HELLO : answerToMessage(request);
  const before = Buffer.alloc(HEADER_LENGTH + (isOld ? OP_REPLY_LENGTH : OP_MSG_LENGTH));
  before.writeInt32LE(before.length + body.length, 0);
  before.writeInt32LE(request.readInt32LE(4), 8);
  before.writeInt32LE(isOld ? OP_REPLY : OP_MSG, 12);
  if (isOld) before.writeInt32LE(1, before.length - 4);
  return Buffer.concat([before, body]);
}

/** The bytes of the document that answers an `OP_MSG`: a command, and maybe a sequence of documents that belong to it. */
function answerToMessage(request) {
  const start = HEADER_LENGTH + OP_MSG_LENGTH;
  const end = start + request.readInt32LE(start);
  const command = BSON.deserialize(request.subarray(start, end));
  return answerTo(command, end < request.length ? countOf(request.subarray(end)) : command.documents?.length);
}

/** How many documents a sequence has, the second section of an `OP_MSG`: its kind, its length, its name, the documents. */
function countOf(section) {
  let count = 0;
  let start = section.indexOf(0, 1 + INT32_LENGTH) + 1;
  for (; start < section.length; count++) start += section.readInt32LE(start);
  return count;
}

/** The bytes of the document that answers a command, which may have so many documents. */
function answerTo(command, documents) {
  const [name] = Object.keys(command);
  if (name === 'find') return pageOf(command);
  if (name === 'insert') return answer({ n: new Int32(documents) });
  if (name === 'findAndModify') return counterAfter(command);
  if (name === 'listIndexes') return batch(INDEXES);
  if (name === 'hello' || name === 'ismaster') return HELLO;
  return DONE;
}

/** The answer to a `find` by id, or to one by status of what follows an id. Only the collection `pets` has documents. */
function pageOf({ find, filter = {}, sort, limit }) {
  const { _id: id, status } = filter;
  const key = `${find} ${JSON.stringify(filter)} ${sort?._id} ${limit}`;
  let page = pages.get(key);
  if (page === undefined) {
    const wanted = status?.$eq ?? status;
    const matching = wanted === undefined ? pets : pets.filter((pet) => pet.status === wanted);
    if (find !== 'pets') page = batch([]);
    else if (sort?._id === -1) page = batch(matching.slice(-limit));
    else if (id?.$in) page = batch(id.$in.map((i) => pets[i - 1]));
    else if (typeof id === 'number') page = batch(matching.slice(id - 1, id));
    else page = batch(matching.filter(({ _id }) => _id.toNumber() > (id?.$gt ?? 0)).slice(0, limit));
    pages.set(key, page);
  }
  return page;
}

/** The answer to a change of the counter: it is raised to an id, or by a number of ids. */
function counterAfter({ update: { $inc, $max }, new: isAfter }) {
  const before = last;
  last = $max === undefined ? last + Number($inc.last) : Math.max(last, Number($max.last));
  return answer({
    lastErrorObject: { n: 1, updatedExisting: true },
    value: { _id: 'pets', last: Long.fromNumber(isAfter ? last : before) },
  });
}

function batch(firstBatch) {
  return answer({ cursor: { firstBatch, id: Long.ZERO, ns: 'animal-store-bench.pets' } });
}

function answer(document) {
  return BSON.serialize({ ...document, ...END });
}

/** An animal as Animal Store keeps it: every integer an int64. */
function documentOf(number) {
  const { name, categoryId, status } = animal(number);
  return { _id: Long.fromNumber(number), name, categoryId: Long.fromNumber(categoryId), status };
}

import { expect } from 'chai';
import { once } from 'node:events';
import { Session, type Profiler } from 'node:inspector/promises';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import ts from 'typescript';
import { createApp } from '../../src/adapters/http-koa/create-app.js';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { MongoPetCatalogue } from '../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { send } from '../bootstrap/request.js';
import { useMongodb } from '../support/use-mongodb.js';
import { ROOT } from './cruise.js';
import { sourceFiles } from './sources.js';

const FILES_TO_CREATE_AN_ANIMAL = 14;
const FILES_WITH_A_MEMBER_OF_PET = 6;

const SOURCES = pathToFileURL(join(ROOT, 'src/')).href;
const KEY = 'a-key-of-more-than-16';

describe('the size of a change', () => {
  verifyCreation('the in-memory catalogue', () => new InMemoryPetCatalogue());

  describe('on a MongoDB server', () => {
    const mongodb = useMongodb();
    verifyCreation('the MongoDB catalogue', () => new MongoPetCatalogue(mongodb.createDatabase()));
  });

  it(`a member of Pet stands in at most ${FILES_WITH_A_MEMBER_OF_PET} source files`, async () => {
    const files: string[] = [];
    for (const file of await sourceFiles()) {
      if (mentions('categoryId', file, await readFile(join(ROOT, file), 'utf8'))) files.push(file);
    }
    expect(files).to.include('src/domain/pet.ts');
    expect(files, files.join(' ')).to.have.lengthOf.at.most(FILES_WITH_A_MEMBER_OF_PET);
  });
});

/** Declares the test of the way of a creation, on this catalogue. */
function verifyCreation(name: string, createCatalogue: () => PetCatalogue): void {
  it(`creating an animal touches at most ${FILES_TO_CREATE_AN_ANIMAL} source files, with ${name}`, async () => {
    const touched = await filesThatCreate(createCatalogue());
    expect(touched).to.include.members(['application/create-pet.ts', 'domain/pet.ts']);
    expect(touched, touched.join(' ')).to.have.lengthOf.at.most(FILES_TO_CREATE_AN_ANIMAL);
  });
}

/** The source files of which a function runs from the Koa application to the catalogue and back, as an animal is created. */
async function filesThatCreate(catalogue: PetCatalogue): Promise<string[]> {
  const apiKeys = new InMemoryApiKeys([{ name: 'anna', key: KEY }]);
  const app = createApp({ store: createAnimalStore({ catalogue }), apiKeys, log: pino({ level: 'silent' }) });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const create = async (): Promise<void> => {
    const body = '{"name":"Rex","categoryId":7,"status":"sold"}';
    const { status } = await send(`http://127.0.0.1:${port}/v1/pets`, { key: KEY, body });
    expect(status).to.equal(201);
  };
  await create();
  const touched = await scriptsThatRun(create);
  server.close();
  return touched.filter((url) => url.startsWith(SOURCES)).map((url) => url.slice(SOURCES.length));
}

/** The addresses of the scripts of which a function is called while `act` runs. */
async function scriptsThatRun(act: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.filter(({ functions }) => functions.some(ran)).map(({ url }) => url);
  } finally {
    session.disconnect();
  }
}

function ran({ ranges }: Profiler.FunctionCoverage): boolean {
  return (ranges[0]?.count ?? 0) > 0;
}

/** Whether a word stands in the code of a file, its strings included and its comments not. */
function mentions(word: string, file: string, text: string): boolean {
  const pattern = new RegExp(`\\b${word}\\b`);
  const look = (node: ts.Node): boolean =>
    ((ts.isIdentifier(node) ||
      ts.isLiteralExpression(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node)) &&
      pattern.test(node.text)) ||
    (ts.forEachChild(node, (child) => look(child) || undefined) ?? false);
  return look(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
}

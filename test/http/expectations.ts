import { expect } from 'chai';
import type { ReceivedResponse } from '../support/received-response.js';
import { get, post, type Service } from './service.js';

/** An animal, its integers digit for digit. */
export interface PetText {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status?: string;
}

/** An Error, as the interface has it. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** Asserts that the response is an Error of this status and code, and nothing more. Returns its message. */
export function expectError(response: ReceivedResponse, status: number, code: string): string {
  expect(`${response.status} ${response.text}`).to.match(new RegExp(`^${status} .*"${code}"`));
  const error = expectErrorBody(response);
  expect(error.code).to.equal(code);
  return error.message;
}

/** Asserts that the response is an Error of exactly three members, with the status of the response and nothing internal. */
export function expectErrorBody(response: ReceivedResponse): ErrorBody {
  expect(response.status, response.text).to.be.within(400, 499);
  expect(response.header('Content-Type')).to.equal('application/json; charset=utf-8');
  const error = response.json as ErrorBody;
  expect(error).to.have.all.keys('code', 'message', 'status');
  expect(error.status).to.equal(response.status);
  expect(error.code).to.match(/^[a-z_]+$/);
  expect(error.message).to.be.a('string').and.not.to.equal('');
  expect(error.message).not.to.match(/\n|\bat .*:\d+:\d+|node_modules|\bHPE_|\.[jt]s\b|\bError:/);
  return error;
}

/** The animals in a JSON text, one or a list, with integers as strings of digits. */
export function petsOf(text: string): PetText[] {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : `"${token}"`));
  const parsed = JSON.parse(exact) as PetText | PetText[];
  return Array.isArray(parsed) ? parsed : [parsed];
}

/** The one animal of a response, which must have this status. */
export function petOf(response: ReceivedResponse, status: 200 | 201): PetText {
  expect(response.status, response.text).to.equal(status);
  const [pet] = petsOf(response.text);
  if (!pet) throw new Error('no animal');
  return pet;
}

/** Creates an animal from this JSON, by default any valid one, and returns it. */
export async function createPet(service: Service, body = '{"name":"Rex","categoryId":7}'): Promise<PetText> {
  return petOf(await post(service, body), 201);
}

/** Creates as many animals, one after the other. */
export async function createPets(service: Service, count: number, body?: string): Promise<PetText[]> {
  const pets: PetText[] = [];
  while (pets.length < count) pets.push(await createPet(service, body));
  return pets;
}

/** The value of `after` with which a list begins with this animal. */
export function before({ id }: PetText): string {
  return String(BigInt(id) - 1n);
}

/** The ids of the animals in a successful list for this query. */
export async function listedIds(service: Service, query: string): Promise<string[]> {
  const response = await get(service, `/pets?${query}`);
  expect(response.status, response.text).to.equal(200);
  return petsOf(response.text).map(({ id }) => id);
}

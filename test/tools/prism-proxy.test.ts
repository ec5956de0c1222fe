import { expect } from 'chai';
import { createServer } from 'node:http';
import { declareHttpSuite, MEANING, STORE, TRANSPORT } from '../http/http-suite.js';
import { serviceOf, type Exchange, type Service } from '../http/service.js';
import { Answer } from '../support/answer.js';
import { startCommand } from '../support/command.js';
import { installPackages } from '../support/install-packages.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { request } from '../support/request.js';
import { startPrism, type Violation } from './prism.js';
import { KEY, readDocument, TOOLS } from './tools.js';

/** A violation of the document that Prism sees in an answer, and the exchange that the answer is of. */
interface Finding extends Violation {
  readonly exchange: string;
}

/** What Prism finds wrong in answers that are right, by its reason. */
const LIMITS: Readonly<Record<string, (finding: Finding) => boolean>> = {
  'integers beyond 2^53, because Prism reads numbers by JSON.parse, which may round them': ({ location, message }) =>
    /^(id|categoryId)$/.test(location.at(-1) ?? '') && / must be [<>]= -?9007199254740991$/.test(message),
};

/** The operations, and statuses that the suite must have seen of each. Prism knows no other paths and methods. */
const OPERATIONS: Readonly<Record<string, readonly number[]>> = {
  'GET /pets': [200, 400, 401],
  'POST /pets': [201, 400, 401, 413, 415, 422],
  'GET /pets/{petId}': [200, 401, 404],
};

// Prism cannot stand between the suite and the service: it reads bodies by JSON.parse and writes them anew, answers some
// requests itself, and does not keep lengths. So it gets the answers that the suite got, and passes each on once more.
describe('Prism, as a proxy that passes on the answers of the HTTP suite', function () {
  this.timeout(180_000);
  /** One of all those that look the same to Prism. */
  const different = new Map<string, Exchange>();

  const startRecorded = async (): Promise<Service> => {
    const command = await startCommand(['--log-level', 'warn'], { API_KEYS: `tests:${KEY}` });
    const service = serviceOf(command, command.port, KEY);
    return Object.assign(service, {
      onExchange({ target, ...exchange }: Exchange) {
        if (!target.startsWith(service.basePath)) return;
        const recorded = { ...exchange, target: target.slice(service.basePath.length) };
        if (operationOf(recorded) in OPERATIONS) different.set(appearanceOf(recorded), recorded);
      },
    });
  };
  declareHttpSuite('HTTP, while the exchanges are recorded', startRecorded, [...TRANSPORT, ...STORE, ...MEANING]);

  describe('after that', () => {
    const findings: Finding[] = [];

    before(async function () {
      this.timeout(300_000);
      await installPackages(TOOLS);
      const validate = await startValidator();
      for (const exchange of different.values()) findings.push(...(await validate(exchange)));
    });

    for (const [operation, statuses] of Object.entries(OPERATIONS)) {
      it(`has passed on ${operation} with ${statuses.join(', ')}`, () => {
        const answers = [...different.values()].filter((exchange) => operationOf(exchange) === operation);
        expect(answers.map(({ answer }) => answer.status)).to.include.members([...statuses]);
      });
    }

    for (const [limit, isOfLimit] of Object.entries(LIMITS)) {
      it(`finds wrong ${limit}`, () => {
        expect(findings.some(isOfLimit)).to.equal(true);
      });
    }

    it('finds nothing else wrong', () => {
      const limits = Object.values(LIMITS);
      const others = findings.filter((finding) => !limits.some((isOfLimit) => isOfLimit(finding)));
      expect(others.map(({ exchange, message }) => `${exchange}: ${message}`).join('\n')).to.equal('');
    });
  });
});

/** The method and the path of an exchange, as the document has them. */
function operationOf({ method, target }: Exchange): string {
  const [path = ''] = target.split('?');
  return `${method} ${path.replace(/^\/pets\/[^/]+$/, '/pets/{petId}')}`;
}

/** What Prism judges an exchange by, but for the id of the request. */
function appearanceOf(exchange: Exchange): string {
  const { status, headers, text } = exchange.answer;
  const [, id = ''] = headers.find(([name]) => name.toLowerCase() === 'x-request-id') ?? [];
  const names = headers.map(([name, value]) => (/^(?:date|etag)$/i.test(name) ? name : `${name}: ${value}`)).join();
  const appearance = `${operationOf(exchange)} ${status} ${names} ${text}`;
  return id === '' ? appearance : appearance.replaceAll(id, '');
}

/**
 * Starts Prism as a proxy before a server that gives recorded answers. Resolves to a function that has Prism pass on the answer
 * of an exchange, and resolves to what Prism finds in it. Of the request, Prism gets the method and the path with any id: it
 * cannot read every query, id and body, and judges an answer by nothing else.
 */
async function startValidator(): Promise<(exchange: Exchange) => Promise<readonly Finding[]>> {
  const due: Answer[] = [];
  const upstream = createServer((_, response) => {
    const answer = due.pop();
    if (answer === undefined) throw new Error('Prism has asked twice.');
    response.writeHead(answer.status, answer.headers.flat()).end(answer.body);
  });
  const port = await listenOnFreePort(upstream);
  const proxy = await startPrism('proxy', (await readDocument()).file, `http://127.0.0.1:${port}`);

  return async function validate(exchange): Promise<readonly Finding[]> {
    const { method, target, answer } = exchange;
    const [, path = ''] = operationOf(exchange).split(' ');
    due.push(answer);
    const passed = await request(proxy, method, path.replace('{petId}', '1'), { key: KEY });
    if (due.length > 0) throw new Error(`Prism answers ${method} ${path} itself: ${passed.status} ${passed.text}`);
    const text = passed.header('sl-violations') ?? '[]';
    // Prism cuts what it finds at 8 KB. Only long lists have so much.
    if (text.startsWith('Too many violations!')) {
      const [one, other] = halvesOf(answer);
      return [...(await validate({ ...exchange, answer: one })), ...(await validate({ ...exchange, answer: other }))];
    }
    return (JSON.parse(text) as readonly Violation[])
      .filter(({ location }) => location[0] === 'response')
      .map((violation) => ({ ...violation, exchange: `${method} ${target} ${answer.status}` }));
  };
}

/** An answer with a list as two, with half of the animals each. */
function halvesOf({ status, headers, json }: Answer): readonly [Answer, Answer] {
  const pets = json as readonly unknown[];
  const withoutLength = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  const half = (start: number, end?: number): Answer =>
    new Answer(status, withoutLength, Buffer.from(JSON.stringify(pets.slice(start, end))));
  const middle = pets.length >> 1;
  return [half(0, middle), half(middle)];
}

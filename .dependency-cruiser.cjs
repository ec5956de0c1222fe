/** The rules for imports: dependencies point inward, and each technology is imported in one folder only. */

const ENTRY_POINTS = [
  '^src/index\\.ts$',
  '^src/adapters/.+/(index|browser)\\.ts$',
  '^src/(application/transfer|bootstrap)/index\\.ts$',
];

/** Each package of `dependencies` and the only folder that may import it. */
const HOMES = {
  'src/bootstrap': [
    'inversify',
    '@inversifyjs/[^/]+',
    'reflect-metadata',
    'pino',
    'pino-pretty',
    'cli-progress',
    'commander',
    'import-meta-resolve',
    'proxy-addr',
    'rate-limiter-flexible',
  ],
  'src/bootstrap/metrics': ['prom-client'],
  'src/lossless-json': ['json-custom-numbers'],
  'src/adapters/http': ['fast-content-type-parse', 'fresh', 'negotiator'],
  'src/adapters/http/koa': ['koa', '@koa/router'],
  'src/adapters/files': ['csv-parse'],
  'src/adapters/mongodb': ['mongodb', 'bson'],
  'src/adapters/postgres': ['pg'],
};

/** The folders of the adapters for databases. */
const DATABASES = ['mongodb', 'postgres', 'sqlite'];

/** Matches the files of packages and of their types, and the bare names of packages that are not installed. */
const packages = (names) => `(^|node_modules/)(@types/)?(${names.join('|').replaceAll('/', '(?:/|__)')})(/|$)`;

/** The module of Node that Node 20 lacks, and so counts as a package that is not installed. */
const NODE_SQLITE = '^(node:)?sqlite$';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const layers = [
  rule(
    'domain-is-pure',
    'The domain imports nothing outside its folder: no other layer, no package, no module of Node.',
    { path: '^src/domain/' },
    { pathNot: '^src/domain/' },
  ),
  rule(
    'application-imports-domain-only',
    'The application imports only the domain.',
    { path: '^src/application/' },
    { pathNot: '^src/(domain|application)/' },
  ),
  rule(
    'lossless-json-imports-domain-only',
    'Of the sources, JSON without loss imports only the domain.',
    { path: '^src/lossless-json/' },
    { path: '^(src|test)/', pathNot: '^src/(domain|lossless-json)/' },
  ),
  rule(
    'lossless-json-is-for-adapters-that-speak-it',
    'Only the adapters that speak JSON import it: neither the core, nor a database, nor bootstrap.',
    { path: '^src/', pathNot: '^src/(lossless-json|adapters/(files|http|remote))/' },
    { path: '^src/lossless-json/' },
  ),
  rule(
    'no-sibling-adapter',
    'An adapter imports its own folder, the kit, JSON, the application and the domain: no other adapter, and not bootstrap.',
    { path: '^src/adapters/([^/]+)/' },
    { path: '^(src|test)/', pathNot: '^src/(domain|application|lossless-json|adapters/(kit|$1))/' },
  ),
  rule(
    'kit-is-for-databases',
    'Only the adapters for databases import the kit.',
    { path: '^src/', pathNot: `^src/adapters/(${[...DATABASES, 'kit'].join('|')})/` },
    { path: '^src/adapters/kit/' },
  ),
  rule(
    'kit-imports-the-core-alone',
    'Of the sources, the kit imports only the domain and the application.',
    { path: '^src/adapters/kit/' },
    { path: '^src/', pathNot: '^src/(domain|application|adapters/kit)/' },
  ),
  rule(
    'only-bootstrap-reaches-bootstrap',
    'Only bootstrap imports bootstrap.',
    { path: '^src/', pathNot: '^src/bootstrap/' },
    { path: '^src/bootstrap/' },
  ),
  rule(
    'core-reaches-no-adapter',
    'The main entry point of the package exports only the domain and the application.',
    { path: '^src/index\\.ts$' },
    { pathNot: '^src/(domain|application)/' },
  ),
];

/** The HTTP interface, without the folders of its transports and of the server. */
const HTTP_INTERFACE = '^src/adapters/http/(?!(koa|fetch|node|server)/)';

/** The server, without its entry point, which also exports the listener to give it. */
const HTTP_SERVER = '^src/adapters/http/server/(?!index\\.ts$)';

/** The folders of the HTTP interface, from the lowest to the highest, and the files above them. */
const HTTP_FLOORS = ['pipeline/', 'bodies/', 'operations/', 'reference/', '[^/]+[.]ts$'];

/** For each floor but the highest: it imports none above it. */
const floors = HTTP_FLOORS.slice(0, -1).map((floor, i) =>
  rule(
    `http-${floor.replace('/', '')}-does-not-climb`,
    `In the HTTP interface, ${floor} imports nothing of ${HTTP_FLOORS.slice(i + 1).join(', ')}.`,
    { path: `^src/adapters/http/${floor}` },
    { path: `^src/adapters/http/(${HTTP_FLOORS.slice(i + 1).join('|')})` },
  ),
);

const transports = [
  rule(
    'http-knows-no-transport',
    'The HTTP interface imports no transport, and not the server.',
    { path: HTTP_INTERFACE },
    { path: '^src/adapters/http/(koa|fetch|node|server)/' },
  ),
  rule(
    'the-reference-is-passed',
    'Only the start of the whole server imports the reference page: others pass it, so that their bundles need not carry it.',
    { path: '^src/', pathNot: '^src/(adapters/http/reference/|bootstrap/server\\.ts$)' },
    { path: '^src/adapters/http/reference/(page\\.ts|files/)', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'web-apis-alone',
    'The HTTP interface, its Fetch transport, JSON and the remote store import no module of Node.',
    { path: [HTTP_INTERFACE, '^src/adapters/(http/fetch|remote)/', '^src/lossless-json/'] },
    { dependencyTypes: ['core'] },
  ),
  rule(
    'fetch-and-node-stand-alone',
    'The transports for Fetch and Node import no other transport, and not the server.',
    { path: '^src/adapters/http/(fetch|node)/' },
    { path: '^src/adapters/http/(koa|fetch|node|server)/', pathNot: '^src/adapters/http/$1/' },
  ),
  rule(
    'koa-stands-on-node',
    'The Koa application imports no other transport than the one for Node, and not the server.',
    { path: '^src/adapters/http/koa/' },
    { path: '^src/adapters/http/(fetch|server)/' },
  ),
  rule(
    'server-knows-no-animals',
    'The HTTP server serves any listener: nothing that it imports leads to the domain or the application.',
    { path: HTTP_SERVER },
    { path: '^src/(domain|application)/', reachable: true },
  ),
  rule(
    'server-stands-alone',
    'The HTTP server imports no transport and no operation.',
    { path: HTTP_SERVER },
    { path: '^src/adapters/http/(koa|fetch|node|operations|bodies|reference)/' },
  ),
  rule(
    'servers-stay-in-http',
    'Only the server, the transports for Node and Koa, and the command that asks a service without a proxy import the HTTP and network modules of Node.',
    { path: '^src/', pathNot: '^src/(adapters/http/(server|node|koa)/|bootstrap/commands/health\\.ts$)' },
    { path: '^(https?|http2|net|tls)$', dependencyTypes: ['core'] },
  ),
];

const wiring = [
  rule(
    'settings-know-no-users',
    'How settings are read, and how the log is written, knows neither what the settings are for nor who logs.',
    { path: '^src/bootstrap/(settings|log)/' },
    { path: '^src/bootstrap/', pathNot: '^src/bootstrap/(settings|log|compiled)/' },
  ),
  rule(
    'modules-know-no-server',
    'The modules know neither the commands, nor the metrics, nor what chooses and loads them.',
    { path: '^src/bootstrap/modules/' },
    { path: '^src/bootstrap/(commands/|metrics/|stores/storage\\.ts$|(server|container|cli)\\.ts$)' },
  ),
];

const technologies = [
  ...Object.entries(HOMES).map(([home, names]) =>
    rule(
      `${home.split('/').at(-1)}-owns-its-packages`,
      `Only ${home} imports ${names.join(', ')}.`,
      { path: '^src/', pathNot: `^${home}/` },
      { path: packages(names) },
    ),
  ),
  rule(
    'every-package-has-a-home',
    'HOMES lists every package that the sources import.',
    { path: '^src/' },
    {
      dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'unknown'],
      pathNot: [packages(Object.values(HOMES).flat()), NODE_SQLITE],
    },
  ),
  rule(
    'sqlite-stays-in-its-adapter',
    'Only the SQLite adapter uses node:sqlite.',
    { path: '^src/', pathNot: '^src/adapters/sqlite/' },
    { path: NODE_SQLITE },
  ),
  rule(
    'adapters-leave-processes-alone',
    'Only bootstrap uses processes, signals and the environment.',
    { path: '^src/', pathNot: '^src/bootstrap/' },
    { path: '^(process|child_process|cluster|worker_threads)$', dependencyTypes: ['core'] },
  ),
];

const shape = [
  rule(
    'no-inner-use-of-entry-points',
    'Sources import a file directly. The public entry points are for users of the package.',
    { path: '^src/', pathNot: ENTRY_POINTS },
    { path: ENTRY_POINTS },
  ),
  rule(
    'sources-know-no-tests',
    'No source imports a test, an example or a benchmark.',
    { path: '^src/' },
    { path: '^(test|examples|bench)/' },
  ),
  rule(
    'contract-suites-run-anywhere',
    'The published contract suites import only the domain, the application and modules of Node.',
    { path: '^test/contracts/' },
    { pathNot: '^(test/contracts|src/(domain|application))/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'no-cycle',
    'No import is circular, not even if it imports only types.',
    { path: '^(src|test)/' },
    { circular: true },
  ),
  rule(
    'resolvable',
    'Every import can be resolved.',
    { path: '^(src|test)/' },
    { couldNotResolve: true, pathNot: NODE_SQLITE },
  ),
];

module.exports = {
  forbidden: [...layers, ...floors, ...transports, ...wiring, ...technologies, ...shape],
  options: {
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

/** The rules of where a source file may reach: inward only, and each technology in its one folder. */

const ENTRY_POINTS = ['^src/index\\.ts$', '^src/adapters/.+/(index|browser)\\.ts$', '^src/bootstrap/index\\.ts$'];

/** Each package of `dependencies` and the only folder that may import it. */
const HOMES = {
  'src/bootstrap': ['inversify', '@inversifyjs/[^/]+', 'reflect-metadata', 'pino', 'leven', 'import-meta-resolve'],
  'src/adapters/http': ['ajv', 'content-type', 'json-custom-numbers'],
  'src/adapters/http/koa': ['koa', '@koa/router'],
  'src/adapters/mongodb': ['mongodb', 'mongodb-connection-string-url', 'bson'],
};

/** Matches the files of some packages, their types', and their bare names where nothing is installed. */
const packages = (names) => `(^|node_modules/)(@types/)?(${names.join('|').replaceAll('/', '(?:/|__)')})(/|$)`;

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const layers = [
  rule(
    'domain-is-pure',
    'The domain imports nothing outside its folder: no layer, no package, no module of Node.',
    { path: '^src/domain/' },
    { pathNot: '^src/domain/' },
  ),
  rule(
    'application-imports-domain-only',
    'The application imports the domain, and nothing else.',
    { path: '^src/application/' },
    { pathNot: '^src/(domain|application)/' },
  ),
  rule(
    'no-sibling-adapter',
    'An adapter reaches its own folder, the application and the domain: never a sibling, never bootstrap.',
    { path: '^src/adapters/([^/]+)/' },
    { path: '^(src|test)/', pathNot: '^src/(domain|application|adapters/$1)/' },
  ),
  rule(
    'only-bootstrap-reaches-bootstrap',
    'Nothing but bootstrap imports bootstrap.',
    { path: '^src/', pathNot: '^src/bootstrap/' },
    { path: '^src/bootstrap/' },
  ),
  rule(
    'core-reaches-no-adapter',
    'The package’s main entry point gives the domain and the application alone.',
    { path: '^src/index\\.ts$' },
    { pathNot: '^src/(domain|application)/' },
  ),
];

/** The HTTP interface itself, without the folders of its transports. */
const HTTP_INTERFACE = '^src/adapters/http/(?!(koa|fetch|node)/)';

const transports = [
  rule(
    'http-knows-no-transport',
    'The HTTP interface imports none of its transports.',
    { path: HTTP_INTERFACE },
    { path: '^src/adapters/http/(koa|fetch|node)/' },
  ),
  rule(
    'web-apis-alone',
    'The HTTP interface and its Fetch transport import no module of Node.',
    { path: [HTTP_INTERFACE, '^src/adapters/http/fetch/'] },
    { dependencyTypes: ['core'] },
  ),
  rule(
    'fetch-and-node-stand-alone',
    'The transports for Fetch and for Node import no other transport.',
    { path: '^src/adapters/http/(fetch|node)/' },
    { path: '^src/adapters/http/(koa|fetch|node)/', pathNot: '^src/adapters/http/$1/' },
  ),
  rule(
    'koa-stands-on-node',
    'The Koa application imports the transport for Node, and no other.',
    { path: '^src/adapters/http/koa/' },
    { path: '^src/adapters/http/fetch/' },
  ),
  rule(
    'servers-stay-in-http',
    'Only the transports for Node and Koa know the HTTP and network modules of Node.',
    { path: '^src/', pathNot: '^src/adapters/http/(node|koa)/' },
    { path: '^(https?|http2|net|tls)$', dependencyTypes: ['core'] },
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
    'A package that the sources import is listed with its one folder.',
    { path: '^src/' },
    {
      dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'unknown'],
      pathNot: packages(Object.values(HOMES).flat()),
    },
  ),
  rule(
    'adapters-leave-processes-alone',
    'Processes, signals and the environment are bootstrap’s.',
    { path: '^src/', pathNot: '^src/bootstrap/' },
    { path: '^(process|child_process|cluster|worker_threads)$', dependencyTypes: ['core'] },
  ),
];

const shape = [
  rule(
    'no-inner-use-of-entry-points',
    'Inside, a file is imported where it is; the public entry points are for those outside.',
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
    'The published contract suites need the domain and modules of Node, nothing more.',
    { path: '^test/contracts/' },
    { pathNot: '^(test/contracts|src/(domain|application))/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'no-cycle',
    'No module imports, types included, a module that imports it in turn.',
    { path: '^(src|test)/' },
    { circular: true },
  ),
  rule('resolvable', 'Every import leads somewhere.', { path: '^(src|test)/' }, { couldNotResolve: true }),
];

module.exports = {
  forbidden: [...layers, ...transports, ...technologies, ...shape],
  options: {
    tsPreCompilationDeps: 'specify',
    detectProcessBuiltinModuleCalls: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

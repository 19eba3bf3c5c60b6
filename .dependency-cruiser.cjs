/** The import table of ARCHITECTURE.md, held by `npm run verify`. */
const service = '^src/services/([^/]+/[^/]+)/'
const sameService = '^src/services/$1/'

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^src/', pathNot: '^src/kernel/' },
    },
    {
      name: 'kernel-runs-anywhere',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      from: { path: '^src/client/', pathNot: ['\\.test\\.ts$', '\\.testkit\\.ts$'] },
      to: { pathNot: '^src/client/' },
    },
    {
      name: 'contract-knows-contracts',
      severity: 'error',
      from: { path: '^src/services/.*/contract\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/kernel/', '/contract\\.ts$', '/rules\\.ts$'] },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^src/services/([^/]+/[^/]+)/[^/]*/?rules\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/kernel/', '/contract\\.ts$', '^src/services/$1/[^/]*/?rules\\.ts$'] },
    },
    {
      name: 'rules-run-anywhere',
      severity: 'error',
      from: { path: '^src/services/.*/rules\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'tables-know-columns',
      severity: 'error',
      from: { path: '^src/services/.*/tables(\\.home)?\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/kernel/', '^src/server/columns\\.ts$'] },
    },
    {
      name: 'others-through-the-door',
      comment: 'of another service only contract.ts and public.ts',
      severity: 'error',
      from: { path: service, pathNot: ['\\.test\\.ts$', '\\.testkit\\.ts$', '/console/'] },
      to: {
        path: '^src/services/[^/]+/[^/]+/',
        pathNot: [sameService, '/contract\\.ts$', '/public\\.ts$', '^src/services/all\\.'],
      },
    },
    {
      name: 'console-of-a-service',
      severity: 'error',
      from: { path: '^src/services/([^/]+/[^/]+)/console/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/kernel/',
          '^src/console/',
          '^src/services/$1/console/',
          '^src/services/$1/[^/]*/?(contract|rules)\\.ts$',
          '/contract\\.ts$',
        ],
      },
    },
    {
      name: 'browser-never-reaches-the-server',
      severity: 'error',
      from: { path: ['^src/console/', '/console/'] },
      to: {
        path: ['^src/server/', '/handlers\\.ts$', '/tables(\\.home)?\\.ts$', '/queries\\.ts$', '/public\\.ts$'],
        reachable: true,
      },
    },
    {
      name: 'server-knows-no-service',
      severity: 'error',
      from: { path: '^src/server/', pathNot: ['^src/server/main\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src/(services|console|testkit)/' },
    },
    {
      name: 'console-knows-no-service',
      severity: 'error',
      from: { path: '^src/console/', pathNot: '^src/console/main\\.tsx$' },
      to: { path: '^src/services/', pathNot: '^src/services/all\\.console\\.ts$' },
    },
    {
      name: 'ground-stands-below',
      severity: 'error',
      from: { path: '^src/services/ground/' },
      to: { path: '^src/services/(?!ground/|all\\.)' },
    },
    {
      name: 'test-kit-in-tests-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.tsx?$', '^src/testkit/', '\\.testkit\\.ts$'] },
      to: { path: ['^src/testkit/', '\\.testkit\\.ts$'] },
    },
    {
      name: 'no-development-package-ships',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.tsx?$', '^src/testkit/', '\\.testkit\\.ts$'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'default', 'node'],
    },
  },
}

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { root, runStep } from './steps.ts'

/** Writes the package `@loggia/client` into a folder, `dist/client` unless another is named. */
const folder = path.resolve(process.argv[2] ?? `${root}dist/client`)
// Each entry is whole by itself: a page may take one file of it.
for (const [name, entry] of [
  ['index', 'index.ts'],
  ['events', 'app-events.ts'],
] as const)
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: name === 'index',
      target: 'es2022',
      lib: { entry: `${root}src/client/${entry}`, formats: ['es'], fileName: name },
      rolldownOptions: { output: { minify: true } },
    },
  })
const compiler = `${root}node_modules/typescript-7/bin/tsc`
const types = await runStep('types of the client', process.execPath, [
  ...[compiler, '-p', `${root}tsconfig.client.json`, '--outDir', folder],
])
if (!types.isPassed) {
  process.stderr.write(`${types.output}\n`)
  process.exit(1)
}
const { version, license } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const made = {
  ...{ name: '@loggia/client', version, license, type: 'module', sideEffects: false },
  description: 'Remote config, experiments and events of Loggia in browsers and Node',
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './events': { types: './app-events.d.ts', default: './events.js' },
  },
}
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(made, null, 2)}\n`)

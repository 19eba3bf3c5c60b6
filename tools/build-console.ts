import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { compressConsole } from './compress-console.ts'
import { root, runStep } from './steps.ts'

/** Builds the console when a file it is made of has changed since the last build. */
const stamp = `${root}dist/console/.built-from`
const sources = [
  ...globSync('src/console/**/*', { cwd: root }),
  ...globSync('src/kernel/**/*.ts', { cwd: root }),
  ...globSync('src/services/**/{console/**/*,contract.ts,rules.ts}', { cwd: root }),
  ...globSync('src/services/all.console.ts', { cwd: root }),
  'vite.config.ts',
  'tools/build-console.ts',
  'tools/compress-console.ts',
  'package-lock.json',
].filter(file => /\.\w+$/.test(file) && !file.endsWith('.test.ts'))

const hash = createHash('sha256')
for (const file of [...new Set(sources)].sort()) {
  hash.update(file)
  if (existsSync(root + file)) hash.update(readFileSync(root + file))
}
const built = hash.digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== built) {
  process.stderr.write('building the console ...\n')
  const result = await runStep('vite', 'vite', ['build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  if (!result.isPassed) {
    process.stderr.write(`${result.output}\n`)
    process.exit(1)
  }
  await compressConsole(`${root}dist/console/`)
  writeFileSync(stamp, built)
}

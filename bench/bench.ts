import { globSync } from 'node:fs'

/** `npm run bench NAME`: one measurement; without a name, the list of them. */
const names = globSync('bench/*.bench.ts', { cwd: new URL('..', import.meta.url).pathname })
  .map(file => file.slice('bench/'.length, -'.bench.ts'.length))
  .sort()
const wanted = process.argv[2]
// So that what it began ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (wanted === undefined || !names.includes(wanted)) {
  process.stdout.write(`npm run bench NAME, one of: ${names.join(', ')}\n`)
  process.exitCode = wanted === undefined ? 0 : 2
} else {
  await import(`./${wanted}.bench.ts`)
}

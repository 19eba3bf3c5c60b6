import { readFileSync } from 'node:fs'
import { findPackageJSON, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/**
 * Loaded before the program (`node --import ./src/server/quick-start.ts`), which works without it too, only slower.
 *
 * V8 makes what seems to last, as its first calls take long, among what is old from then on. Of a server these are the
 * small lists of Node that name a request: old at birth, they keep every later request alive until a whole collection, and
 * each collection of the young copies them all. Whether it happens is up to chance; it took a third of a processor.
 */
setFlagsFromString('--no-allocation-site-pretenuring')
/**
 * V8 collects all there is as soon as there is a fifth to a half more of it: a server that answers ten thousand calls a second
 * spent a tenth of its time on that. The heap may double in between; it is some hundred megabytes.
 */
setFlagsFromString('--heap-growing-percent=100')
/**
 * V8 takes a pause of some seconds for the end of the work and throws compiled code away to save memory. The calls after the
 * pause took six times as long, until everything was compiled again. It still collects in a pause.
 */
setFlagsFromString('--no-memory-reducer-favors-memory')

/**
 * Node parses a package's list of exports anew for each import from it; Drizzle's is 180 kB long, and the parsing alone
 * took more than a second of each start. Here it is read once.
 */
const packageName = 'drizzle-orm'
const manifest = findPackageJSON(packageName, import.meta.url)
if (manifest) resolveFrom(manifest)

function resolveFrom(file: string): void {
  const folder = new URL('.', pathToFileURL(file)).href
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: Record<string, Exported | undefined> }
  registerHooks({
    resolve(specifier, context, next) {
      const url = context.conditions.includes('import') ? urlOf(specifier, context.parentURL) : undefined
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
    },
  })

  function urlOf(specifier: string, parent: string | undefined): string | undefined {
    if (specifier.startsWith(packageName)) {
      const target = exports[`.${specifier.slice(packageName.length)}`]?.import?.default
      return target && new URL(target, folder).href
    }
    const isInside = specifier.startsWith('.') && parent?.startsWith(folder)
    return isInside ? new URL(specifier, parent).href : undefined
  }
}

interface Exported {
  import?: { default: string }
}

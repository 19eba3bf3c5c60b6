import { realpath, stat } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import path from 'node:path'
import { type BuildFailure, build, type Metafile, type Plugin } from 'esbuild'
import type { Fault } from '../frames.ts'
import { CannotStart, type InstanceSpec } from '../port.ts'
import { filesOf } from '../runner/named-file.ts'

/** The code of a package in one piece, for one handler. */
export interface Bundle {
  /**
   * UTF-8 of a CommonJS module that exports a function; that answers what the file exports that handler and initialiser are
   * in, or both modules. As bytes from the start: a megabyte of text for each copy that begins makes the server collect its
   * garbage beside that very copy.
   */
  code: Buffer
  /** UTF-8 of the source map: read, it takes thirty times as much memory, and only who throws needs it. */
  map: Buffer
}

type Wanted = Pick<InstanceSpec, 'folder' | 'layers' | 'handler' | 'initialiser'>

const mostBytes = 20 * 1024 * 1024
const mostKeptBytes = 64 * 1024 * 1024
/** Source maps that were read: whoever throws once throws again. */
const mostRead = 3
/** Modules of Node that no function can use. */
const never: ReadonlySet<string> = new Set(['child_process', 'cluster', 'dgram', 'inspector', 'worker_threads'])
/** Modules that functions of Node have, and isolates by name alone. */
const lacking: ReadonlySet<string> = new Set(['repl', 'sqlite', 'vm', 'wasi'])
const take = 'take the runtime nodejs24 for it'
/** V8 reads what stands in parentheses once, and any other function first in haste and again when it is called. */
const head = Buffer.from('module.exports = (function (module = { exports: {} }) { (function (exports, module) {')
const tail = (answer: string) => Buffer.from(`\n}).call(module.exports, module.exports, module); return ${answer} })`)

/** Packages in one piece, each made once while it is asked for. */
export class Bundles {
  readonly #mostBytes: number
  /** The one that was not asked for longest is the first. */
  readonly #known = new Map<string, Promise<Bundle>>()
  readonly #bytes = new Map<string, number>()

  constructor(mostBytes = mostKeptBytes) {
    this.#mostBytes = mostBytes
  }

  /** Throws `CannotStart` with what is wrong with the code, or what it needs and isolates lack. */
  of(spec: Wanted): Promise<Bundle> {
    const { folder, layers, handler, initialiser } = spec
    const key = JSON.stringify([folder, layers, handler, initialiser])
    const found = this.#known.get(key) ?? this.#make(key, spec)
    this.#known.delete(key)
    this.#known.set(key, found)
    return found
  }

  #make(key: string, spec: Wanted): Promise<Bundle> {
    const made = makeBundle(spec)
    const weigh = ({ code, map }: Bundle) => {
      this.#bytes.set(key, code.length + map.length)
      this.#forgetOldest()
    }
    made.then(weigh, () => this.#known.delete(key))
    return made
  }

  #forgetOldest(): void {
    let held = [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0)
    for (const key of this.#known.keys()) {
      if (held <= this.#mostBytes) return
      // One that is being made has no weight yet.
      const bytes = this.#bytes.get(key)
      if (bytes === undefined) continue
      held -= bytes
      this.#bytes.delete(key)
      this.#known.delete(key)
    }
  }
}

async function makeBundle({ folder, layers, handler, initialiser }: Wanted): Promise<Bundle> {
  const root = await realpath(folder)
  const roots = [root, ...(await Promise.all(layers.map(layer => realpath(layer))))]
  const [own = '', other = ''] = await Promise.all(
    [handler, initialiser ?? handler].map(wanted => fileOf(root, wanted)),
  )
  const isOne = own === other
  const both = [
    `import * as handler from ${JSON.stringify(own)}`,
    `import * as initialiser from ${JSON.stringify(other)}`,
    'export { handler, initialiser }',
  ]
  const built = await build({
    // As something imported, a file of CommonJS would be read in haste first, and all that it exports copied by name.
    ...(isOne
      ? { entryPoints: [own] }
      : { stdin: { contents: both.join('\n'), resolveDir: root, sourcefile: 'entry.js' } }),
    ...{ absWorkingDir: root, outfile: path.join(root, 'bundle.js'), write: false, bundle: true, metafile: true },
    ...{ platform: 'node', format: 'cjs', target: 'esnext', sourcemap: 'external', sourcesContent: false },
    // The later layer wins; the second folder is where layers that were made for AWS have theirs.
    nodePaths: roots
      .slice(1)
      .reverse()
      .flatMap(layer => ['node_modules', 'nodejs/node_modules'].map(one => path.join(layer, one))),
    define: { 'import.meta.url': '"file:///fn/index.js"' },
    tsconfigRaw: '{}',
    logLevel: 'silent',
    plugins: [within(roots)],
  }).catch(error => {
    throw new CannotStart(faultOfBuild(error as BuildFailure))
  })
  const problem = lackOf(built.metafile)
  if (problem) throw new CannotStart(fault('Error', problem))
  const file = (ending: string) => built.outputFiles.find(one => one.path.endsWith(ending))?.contents ?? Buffer.alloc(0)
  const code = Buffer.concat([head, file('bundle.js'), tail(isOne ? '{ whole: module.exports }' : 'module.exports')])
  return { code, map: Buffer.from(file('.map')) }
}

async function fileOf(root: string, wanted: string): Promise<string> {
  const files = filesOf(wanted)
  for (const file of files) {
    const found = await stat(path.join(root, file)).catch(() => null)
    if (found?.isFile()) return `./${file}`
  }
  return `./${files[0]}`
}

/** Only what was uploaded is read, whatever the code names. */
function within(roots: readonly string[]): Plugin {
  return {
    name: 'within',
    setup: ({ onLoad }) => {
      let bytes = 0
      onLoad({ filter: /.*/, namespace: 'file' }, async ({ path: file }) => {
        if (!roots.some(root => file.startsWith(root + path.sep)))
          return { errors: [{ text: 'it is not in the package' }] }
        if (file.endsWith('.node')) return { errors: [{ text: 'functions load no native addons' }] }
        bytes += (await stat(file)).size
        if (bytes > mostBytes)
          return { errors: [{ text: `an isolate takes ${mostBytes} bytes of code, and this is more; ${take}` }] }
        return undefined
      })
    },
  }
}

/** What the code itself imports that isolates lack; packages beside it often ask for such a thing and do without. */
function lackOf({ inputs }: Metafile): string | null {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (file.includes('node_modules/')) continue
    for (const { path: name, external } of imports) {
      const bare = name.replace(/^node:/, '')
      if (!external) continue
      if (never.has(bare)) return `${file} imports ${name}, which no function may use`
      if (lacking.has(bare)) return `${file} imports ${name}, which isolates have not; ${take}`
    }
  }
  return null
}

function faultOfBuild({ errors = [], message }: BuildFailure): Fault {
  const [first] = errors
  if (!first) return fault('Error', message)
  const { text, location } = first
  const place = location ? `${location.file}:${location.line}:${location.column + 1}: ` : ''
  const isSyntax = first.pluginName === '' && !/^Could not resolve|^Top-level await/.test(text)
  return fault(isSyntax ? 'SyntaxError' : 'Error', place + text)
}

const fault = (name: string, message: string): Fault => ({ kind: 'loadFailed', name, message, stack: '' })

/** The last one that was asked for stands last. */
const read = new Map<Bundle, SourceMap>()

function mapOf(bundle: Bundle): SourceMap {
  const map = read.get(bundle) ?? new SourceMap(JSON.parse(bundle.map.toString()) as SourceMapPayload)
  read.delete(bundle)
  read.set(bundle, map)
  const [oldest] = read.keys()
  if (oldest && read.size > mostRead) read.delete(oldest)
  return map
}

/** A fault with the places of the package's own files in its stack. */
export function mapped<F extends Fault>(found: F, bundle: Bundle): F {
  const stack = found.stack.replaceAll(/bundle\.mjs:(\d+):(\d+)/g, (whole, line, column) => {
    const entry = mapOf(bundle).findEntry(Number(line) - 1, Number(column) - 1)
    return 'originalSource' in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : whole
  })
  return { ...found, stack }
}

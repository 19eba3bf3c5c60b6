import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pLimit from 'p-limit'
import { beginGrouped } from './grouped.ts'
import type { Launched, Launcher } from './launcher/launcher.ts'
import { filesOf } from './runner/named-file.ts'
import { behindWalls, limited, linkTree, nodeInside, removeHome, sandboxUid } from './sandbox.ts'
import { SpareTurn } from './spare-turn.ts'

/** A smaller file is compiled sooner than what was made of it is looked up. */
const worthBytes = 64_000
/** Less is made of the line that asks for a module. */
const keptBytes = 4_000
const memoryMb = 256
/** What Node itself takes. */
const ownMb = 64
const timeoutMs = 20_000

/**
 * What V8 made of the files that handlers are in, for the copies that begin later: to read and compile a megabyte takes as
 * long as all the rest of a cold start. A process compiles them that runs nothing of them, as Node takes what it finds
 * there for its own work: had code a say in it, it would have more than JavaScript.
 */
export class CompiledCode {
  readonly #runFolder: string
  readonly #launcher: Launcher
  readonly #inTurn = pLimit(1)
  /** By package and file; null while nothing is there. */
  readonly #known = new Map<string, string | null>()
  #running: Launched | undefined
  #isClosed = false

  constructor(runFolder: string, launcher: Launcher) {
    this.#runFolder = runFolder
    this.#launcher = launcher
  }

  /** The folder that a copy finds it in, as Node's own compile cache; null where there is none yet. */
  of(folder: string, handler: string): string | null {
    return this.#known.get(keyOf(folder, handler)) ?? null
  }

  /** Compiles it when its turn comes, unless that was tried before. Resolves when that is over. */
  async make(folder: string, handler: string): Promise<void> {
    const key = keyOf(folder, handler)
    if (this.#isClosed || this.#known.has(key)) return
    this.#known.set(key, null)
    const file = await worthCompiling(folder, handler)
    if (file === null) return
    const home = path.join(this.#runFolder, randomUUID())
    const isMade = await this.#inTurn(() => this.#compile(home, folder, file)).catch(() => false)
    if (isMade) this.#known.set(key, path.join(home, 'cache'))
    else await removeHome(home)
  }

  /** Resolves when nothing is compiled any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#running?.kill()
    await this.#inTurn(() => undefined)
  }

  async #compile(home: string, folder: string, file: string): Promise<boolean> {
    const [code, cache] = [path.join(home, 'fn'), path.join(home, 'cache')]
    for (const one of [home, code, cache]) await mkdir(one, { mode: 0o755 })
    if (sandboxUid !== undefined) await chown(cache, sandboxUid, sandboxUid)
    await linkTree(folder, code)
    for (const unrun of waysOf(`/fn/${file}`)) {
      if (this.#isClosed) return false
      await this.#run(home, unrun)
      if (!(await keepLarge(cache))) continue
      await rm(code, { recursive: true })
      return true
    }
    return false
  }

  async #run(home: string, unrun: readonly string[]): Promise<void> {
    const binds = [
      ...['--ro-bind', process.execPath, '/node', '--ro-bind', path.join(home, 'fn'), '/fn', '--chdir', '/fn'],
      ...['--bind', path.join(home, 'cache'), '/cache'],
    ]
    const inside = ['/node', ...nodeInside({ reads: ['/fn', '/cache'], writes: ['/cache'], memoryMb }), ...unrun]
    const walled = [...limited, ...behindWalls({ LANG: 'C.UTF-8', NODE_COMPILE_CACHE: '/cache' }, binds), ...inside]
    const wishes = { id: randomUUID(), memoryMb: memoryMb + ownMb, turn: new SpareTurn() }
    const { launched, clear } = await beginGrouped(this.#launcher, wishes, { command: 'nice', args: walled, env: {} })
    this.#running = launched
    launched.socket.destroy()
    const timer = setTimeout(() => launched.kill(), this.#isClosed ? 0 : timeoutMs)
    await launched.ended
    clearTimeout(timer)
    this.#running = undefined
    await clear()
  }
}

const keyOf = (folder: string, handler: string) => `${folder}\0${handler}`

/** The file within the package that a handler names, where it is large enough. */
async function worthCompiling(folder: string, handler: string): Promise<string | null> {
  for (const file of filesOf(handler)) {
    const found = await stat(path.join(folder, file)).catch(() => null)
    if (found?.isFile()) return found.size >= worthBytes ? file : null
  }
  return null
}

/**
 * What has Node compile a file and not run it: that of `require` is checked for its words; a module cannot be linked to
 * whoever wants of it what it does not export, and so never runs.
 */
const waysOf = (file: string): readonly (readonly string[])[] => [
  ['--check', file],
  ['--input-type=module', '--eval', `import { ${nameOfNobody()} } from ${JSON.stringify(pathToFileURL(file).href)}`],
]

const nameOfNobody = () => `of${randomUUID().replaceAll('-', '')}`

/** Leaves what is worth it, for all to read and nobody to change. Answers whether there is any. */
async function keepLarge(cache: string): Promise<boolean> {
  const entries = await readdir(cache, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
  let hasAny = false
  for (const file of files) {
    const isLarge = (await stat(file)).size >= keptBytes
    hasAny ||= isLarge
    if (!isLarge) await rm(file)
    else await chmod(file, 0o444)
    if (isLarge && sandboxUid !== undefined) await chown(file, 0, 0)
  }
  return hasAny
}

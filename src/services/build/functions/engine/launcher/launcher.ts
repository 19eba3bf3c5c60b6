import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import net from 'node:net'
import path from 'node:path'
import type { Launch } from '../sandbox.ts'
import { type Ending, idLength, type LauncherOrder, type LauncherReport } from './messages.ts'

/** A process that was begun. */
export interface Launched {
  /** Of the outermost process. */
  readonly pid: number
  /** The other end of its third descriptor. */
  readonly socket: net.Socket
  /** Resolves when no process is left. */
  readonly ended: Promise<Ending>
  kill(): void
}

interface Waiting {
  pid?: number
  socket?: net.Socket
  begun(): void
  end(how: Ending): void
}

/** Until a process has begun; a server that stands still for a moment takes some of it. */
const beginTimeoutMs = 10_000
const lost: Ending = { code: null, signal: 'SIGKILL', said: 'the launcher is gone' }

/**
 * Begins processes by a small process of its own. To begin one a process is copied as it stands: of a server with half a
 * gigabyte that takes ten milliseconds and more, in which it answers nobody.
 */
export class Launcher {
  readonly #socketPath: string
  readonly #waiting = new Map<string, Waiting>()
  #listening: Promise<net.Server> | undefined
  #child: ChildProcess | undefined

  /** @param folder where its socket stands; nobody but this user may write there */
  constructor(folder: string) {
    this.#socketPath = path.join(folder, 'launcher')
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Throws where the process did not begin, with what was said about it. */
  async begin({ command, args, env }: Pick<Launch, 'command' | 'args' | 'env'>): Promise<Launched> {
    this.#listening ??= this.#listen()
    await this.#listening
    const child = this.#running()
    const id = randomUUID()
    return new Promise((resolve, reject) => {
      let tellEnd: (how: Ending) => void = () => undefined
      const ended = new Promise<Ending>(told => {
        tellEnd = told
      })
      const kill = () => say(child, { type: 'kill', id })
      let end: Ending | undefined
      const over = () => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        reject(new Error(`a process of a function did not begin: ${end?.said ?? ''}`))
      }
      const timer = setTimeout(() => (end ? over() : kill()), beginTimeoutMs)
      const waiting: Waiting = {
        begun: () => {
          const { pid, socket } = waiting
          if (pid === undefined || !socket) return
          clearTimeout(timer)
          resolve({ pid, socket, ended, kill })
          if (end) this.#waiting.delete(id)
        },
        end: how => {
          end = how
          tellEnd(how)
          // One that ended at once may be heard of before its connection, which was made before it.
          if (waiting.pid === undefined || waiting.socket) over()
        },
      }
      this.#waiting.set(id, waiting)
      say(child, { type: 'begin', id, command, args, env })
    })
  }

  /** Ends it, and all that it began. */
  async close(): Promise<void> {
    const child = this.#child
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.disconnect()
      await gone
    }
    const server = await this.#listening
    if (server) await new Promise(resolve => server.close(resolve))
  }

  /** One that ended is followed by another one. */
  #running(): ChildProcess {
    if (this.#child) return this.#child
    // Nothing of our environment: it holds the keys of the server.
    const child = fork(path.join(import.meta.dirname, 'child.ts'), [this.#socketPath], {
      env: { ...(process.env['PATH'] && { PATH: process.env['PATH'] }) },
      execArgv: ['--max-old-space-size=64', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', message => this.#hear(message as LauncherReport))
    child.on('error', () => undefined)
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
      for (const waiting of [...this.#waiting.values()]) {
        waiting.socket?.destroy()
        waiting.end(lost)
      }
    })
    return child
  }

  #hear(report: LauncherReport): void {
    const waiting = this.#waiting.get(report.id)
    if (!waiting) return
    if (report.type === 'ended') waiting.end(report)
    else {
      waiting.pid = report.pid
      waiting.begun()
    }
  }

  async #listen(): Promise<net.Server> {
    const server = net.createServer(socket => this.#meet(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#socketPath, resolve)
    })
    return server
  }

  /** The first that a connection says is whose it is. */
  #meet(socket: net.Socket): void {
    socket.on('error', () => socket.destroy())
    const read = () => {
      const id = socket.read(idLength) as Buffer | null
      if (id === null) return
      socket.off('readable', read)
      const waiting = this.#waiting.get(String(id))
      if (!waiting || waiting.socket) return void socket.destroy()
      waiting.socket = socket
      waiting.begun()
    }
    socket.on('readable', read)
  }
}

function say(child: ChildProcess, order: LauncherOrder): void {
  if (child.connected) child.send(order)
}

import { type ChildProcess, spawn } from 'node:child_process'
import net from 'node:net'
import type { Ending, LauncherOrder, LauncherReport } from './messages.ts'

/**
 * The launcher's own process. For each order it connects to the server's socket, names the process, and gives the
 * connection to the process that it begins, as its third descriptor; it reads none of it. It ends with the server, and
 * takes with it what it began.
 */
const [socketPath = ''] = process.argv.slice(2)
const keptCharacters = 4000
/** Null while its connection is being made. */
const running = new Map<string, ChildProcess | null>()
let isEnding = false

const report = (what: LauncherReport) => {
  if (process.connected) process.send?.(what)
}

process.on('message', (order: LauncherOrder) => {
  if (order.type === 'begin') begin(order)
  else kill(order.id)
})
process.on('disconnect', () => {
  isEnding = true
  for (const id of [...running.keys()]) kill(id)
  if (running.size === 0) process.exit()
})

function begin(order: LauncherOrder & { type: 'begin' }): void {
  const { id } = order
  running.set(id, null)
  const socket = net.connect(socketPath)
  // What arrives is for the process.
  socket.pause()
  socket.once('error', error => end(id, { code: null, signal: null, said: error.message }))
  socket.once('connect', () => {
    socket.write(id, () => {
      try {
        if (running.has(id)) give(order, socket)
      } catch (error) {
        // Most of what goes wrong comes as an event; a machine without memory throws.
        end(id, { code: null, signal: null, said: String(error) })
      }
      socket.destroy()
    })
  })
}

function give({ id, command, args, env }: LauncherOrder & { type: 'begin' }, socket: net.Socket): void {
  // In a session of its own: no terminal is within its reach, and its turn among all that want a processor is not ours.
  const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe', socket] })
  running.set(id, child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      said = (said + String(chunk)).slice(-keptCharacters)
    })
  child.once('error', error => end(id, { code: null, signal: null, said: error.message }))
  child.once('close', (code, signal) => end(id, { code, signal, said }))
  if (child.pid !== undefined) report({ type: 'begun', id, pid: child.pid })
}

function kill(id: string): void {
  const child = running.get(id)
  if (child) child.kill('SIGKILL')
  else end(id, { code: null, signal: 'SIGKILL', said: '' })
}

/** Told once. */
function end(id: string, how: Ending): void {
  if (running.delete(id)) report({ type: 'ended', id, ...how })
  if (isEnding && running.size === 0) process.exit()
}

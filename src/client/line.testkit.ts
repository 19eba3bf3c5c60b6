import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ConfigStore } from './store.ts'

/** The network between a client and Loggia: counts what passes, and can be cut. */
export interface Line {
  url: string
  /** `METHOD path status` of each answer. */
  passed: string[]
  /** What is answered instead of Loggia, where anything is: a status. */
  says: number | null
  isCut: boolean
  cut(): void
  close(): Promise<void>
}

export async function openLine(origin: string): Promise<Line> {
  const sockets = new Set<Socket>()
  const front = createServer((from, to) => {
    if (line.isCut) return void from.socket.destroy()
    if (line.says !== null) return void to.writeHead(line.says, { 'retry-after': '1' }).end('{}')
    const onward = request(`${origin}${from.url}`, { method: from.method, headers: from.headers }, answer => {
      line.passed.push(`${from.method} ${from.url?.replace(/\?.*/, '')} ${answer.statusCode}`)
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    onward.on('error', () => to.destroy())
    to.on('close', () => onward.destroy())
    from.pipe(onward)
  })
  front.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const line: Line = {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    passed: [],
    says: null,
    isCut: false,
    cut: () => {
      line.isCut = true
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      line.cut()
      await new Promise(resolve => front.close(resolve))
    },
  }
  return line
}

/** As a browser keeps it, and a new start finds it. */
export function kept(): ConfigStore {
  const rows = new Map<string, string>()
  return { get: name => rows.get(name) ?? null, set: (name, text) => void rows.set(name, text) }
}

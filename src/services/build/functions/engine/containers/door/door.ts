/**
 * Runs beside the container of a function, in the same network without a way out. It leads a socket of the server's to the
 * port that the function listens on, and is there once somebody listens; and a port of that network to the server's proxy.
 */
import { renameSync } from 'node:fs'
import net from 'node:net'

const [socket = '', port = '', proxy = '', proxyPort = ''] = process.argv.slice(2)
const there = { host: '127.0.0.1', port: Number(port), allowHalfOpen: true }
const askAgainAfterMs = 10

function waitForServer(): void {
  const probe = net.connect(there)
  probe.once('connect', () => {
    probe.destroy()
    open()
  })
  probe.once('error', () => setTimeout(waitForServer, askAgainAfterMs))
}

function open(): void {
  const door = net.createServer({ allowHalfOpen: true }, near => lead(near, there))
  // A name is there before anybody listens at it: it is given when somebody does.
  const unnamed = `${socket}.new`
  door.listen(unnamed, () => renameSync(unnamed, socket))
}

function lead(near: net.Socket, where: net.NetConnectOpts): void {
  const far = net.connect(where)
  near.pipe(far).pipe(near)
  near.once('error', () => far.destroy())
  far.once('error', () => near.destroy())
}

if (proxy !== '') {
  const out = { path: proxy, allowHalfOpen: true }
  net.createServer({ allowHalfOpen: true }, near => lead(near, out)).listen(Number(proxyPort), '127.0.0.1')
}
waitForServer()

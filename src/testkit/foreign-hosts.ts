import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** Debian's. */
const signer = 'openssl'
const root = new URL('../../', import.meta.url).pathname

/** For the top of a program: what a public client takes for the browser's store: Node has none. */
export const browserStore = `
  const rows = new Map()
  const later = (result, name = 'onsuccess') => {
    const request = { result }
    setImmediate(() => request[name]?.({ target: request }))
    return request
  }
  const keep = row => later(void rows.set(row.agcStorage, row))
  const objectStore = () => ({ get: key => later(rows.get(key)), put: keep, add: keep, delete: key => later(rows.delete(key)) })
  globalThis.window = {
    indexedDB: { open: () => later({ objectStoreNames: { contains: () => true }, transaction: () => ({ objectStore }) }) },
  }
`

/** Hosts of the public clients on this machine: a server whose authority is our own, before the server of a test. */
export interface ForeignHosts {
  /** Runs a CommonJS program that thinks it talks to the hosts; answers its last line as JSON. */
  run(source: string, env?: Record<string, string>): Promise<unknown>
  start(source: string, env?: Record<string, string>): ChildProcess
  close(): Promise<void>
}

export async function openForeignHosts(
  folder: string,
  origin: () => string,
  hosts: readonly string[],
): Promise<ForeignHosts> {
  mkdirSync(folder, { recursive: true })
  const file = (name: string) => path.join(folder, name)
  const openssl = (...args: string[]) => execFileSync(signer, args, { cwd: folder, stdio: 'pipe' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=Local authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  )
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${hosts[0]}`, '-keyout', 'host.key', '-out', 'host.csr')
  writeFileSync(file('names'), `subjectAltName=${hosts.map(host => `DNS:${host}`).join(',')}\n`)
  openssl(
    'x509',
    '-req',
    '-days',
    '2',
    '-in',
    'host.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-extfile',
    'names',
    '-out',
    'host.pem',
  )
  const front = createServer(
    { key: readFileSync(file('host.key')), cert: readFileSync(file('host.pem')) },
    (from, to) => {
      const onward = request(`${origin()}${from.url}`, { method: from.method, headers: from.headers }, answer => {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
      })
      onward.on('error', () => to.destroy())
      from.pipe(onward)
    },
  )
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  writeFileSync(
    file('hosts.cjs'),
    `const tls = require('node:tls'); const ca = require('node:fs').readFileSync(${JSON.stringify(file('ca.pem'))}); const own = ${JSON.stringify(hosts)}; const connect = tls.connect
tls.connect = function (...args) {
  const options = args.find(one => typeof one === 'object' && one !== null)
  if (options && own.includes(options.host)) { options.servername = options.host; options.host = '127.0.0.1'; options.port = ${port}; options.ca = ca }
  return connect.apply(tls, args)
}`,
  )
  const start: ForeignHosts['start'] = (source, env = {}) => {
    writeFileSync(file('program.cjs'), source)
    return spawn(process.execPath, ['--require', file('hosts.cjs'), file('program.cjs')], {
      cwd: folder,
      env: { PATH: process.env['PATH'], NODE_PATH: path.join(root, 'node_modules'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  return {
    start,
    run: (source, env) =>
      new Promise((resolve, reject) => {
        const child = start(source, env)
        let out = ''
        child.stdout?.on('data', part => (out += part))
        child.stderr?.on('data', part => (out += part))
        child.on('close', () => {
          const last = out.trim().split('\n').at(-1) ?? ''
          try {
            resolve(JSON.parse(last))
          } catch {
            reject(new Error(out.slice(-4000)))
          }
        })
      }),
    close: () => new Promise(resolve => front.close(() => resolve())),
  }
}

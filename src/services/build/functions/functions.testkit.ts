import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { openStage, type Person, type Stage, type StageOptions } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { functionsIde } from './contract.ts'
import { functionTesting } from './testing/contract.ts'

/** A stage with a project, and a site of this machine that functions may reach and that counts how often they do. */
export interface FunctionStage {
  stage: Stage
  owner: Person
  projectId: string
  site: { url: string; asked: (what: string) => number; close(): Promise<void> }
  create(content: string, more?: object): ReturnType<typeof createIn>
  run(
    functionName: string,
    event?: unknown,
    qualifier?: string,
    headers?: Record<string, string>,
  ): ReturnType<typeof runIn>
  pods(functionId: string, version?: string): Promise<{ podId: string; served: number }[]>
  close(): Promise<void>
}

export async function openFunctions(options: StageOptions = {}): Promise<FunctionStage> {
  const site = await openSite()
  const stage = await openStage({ outboundAllow: [new URL(site.url).host], ...options })
  const owner = await stage.person()
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Functions' } })
  return {
    ...{ stage, owner, projectId, site },
    create: (content, more) => createIn(owner, projectId, content, more),
    run: (name, event, qualifier, headers) => runIn(owner, projectId, { name, event, qualifier, headers }),
    pods: (functionId, version = '$latest') => podsOf(owner, functionId, version),
    close: async () => {
      await stage.close()
      await site.close()
    },
  }
}

export const source = (content: string) => [{ path: 'index.js', content, encoding: 'utf8' as const }]

let made = 0
async function createIn(owner: Person, projectId: string, content: string, more: object = {}) {
  const body = { projectId, functionName: `fn-${++made}`, files: source(content), ...more }
  return (await owner.ok(functionsIde, 'createFunctionWithCode', { body })).function
}

interface Call {
  name: string
  event?: unknown
  qualifier?: string | undefined
  headers?: Record<string, string> | undefined
}

const runIn = (owner: Person, projectId: string, { name, event = {}, qualifier = '$latest', headers = {} }: Call) =>
  owner.ok(functionTesting, 'testFunction', {
    params: { a: name, b: qualifier },
    query: { projectId },
    body: { event },
    headers,
  })

/** The copies that run, on the server of `who`. */
export async function podsOf(who: Person, functionId: string, version = '$latest') {
  return (await who.ok(functionsIde, 'listPods', { params: { functionId, version } })).list
}

/** Publishes what `$latest` is, after changing its code where some is given. */
export async function publish(owner: Person, functionId: string, content?: string): Promise<string> {
  if (content !== undefined) {
    const { function: found } = await owner.ok(functionsIde, 'getFunction', { params: { functionId } })
    const body = { revision: found.revision, files: source(content) }
    await owner.ok(functionsIde, 'updateCode', { params: { functionId }, body })
  }
  return (await owner.ok(functionsIde, 'publishVersion', { body: { functionId } })).version
}

/** Looks again and again until it is so; throws what is instead after a while. */
export async function until<T>(look: () => Promise<T>, isSo: (found: T) => boolean, forMs = 30_000): Promise<T> {
  for (const endsAt = Date.now() + forMs; ; ) {
    const found = await look()
    if (isSo(found)) return found
    if (Date.now() > endsAt) throw new Error(`it stayed ${JSON.stringify(found)}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** A place that functions may reach, which leads them to the server: private addresses are closed to them. */
export async function openDoor() {
  let address = ''
  const server = http.createServer((request, reply) => {
    const { method, headers } = request
    const far = http.request(address + request.url, { method, headers }, answer => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(reply)
    })
    request.pipe(far)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    leadTo: (there: string) => {
      address = there
    },
    close: () => void server.close(),
  }
}

async function openSite() {
  const counts = new Map<string, number>()
  const server = http.createServer((request, response) => {
    const what = String(request.url).slice(1)
    counts.set(what, (counts.get(what) ?? 0) + 1)
    response.end(String(counts.get(what)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (what: string) => counts.get(what) ?? 0,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

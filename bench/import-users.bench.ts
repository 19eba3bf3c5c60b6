import type { Connection } from 'pg'
import pg from 'pg'
import { type KindOfHash, sixKinds, usersOfKind } from '../src/services/build/app-auth/imports/six-kinds.testkit.ts'
import { cpuMs, memoryMb } from './measure.ts'
import { type Stand, withStand } from './stand.ts'

/**
 * A hundred thousand users with six kinds of hashes in one import, through the calls of the console, beside a bare COPY
 * of the same rows into the same table with the same indexes. Memory is that of the server process alone.
 */
const rows = 100_000
const rowsOfPart = 1000
let halfWay = false
const importPath = '/tas/tas-user-service/v1/cp/user/import'

await withStand(async stand => {
  const kinds = await sixKinds()
  const projectId = await newProject(stand)
  const peak = watchMemory(stand.pid)
  const cpuBefore = cpuMs(stand.pid)
  const sending = performance.now()
  const importId = await sendAll(stand, projectId, kinds)
  const running = performance.now()
  const job = await untilDone(stand, projectId, importId)
  const ended = performance.now()
  const cpuSeconds = (cpuMs(stand.pid) - cpuBefore) / 1000
  const memory = peak()
  const bare = await copyThem(stand, projectId)
  const seconds = (from: number, to: number) => (to - from) / 1000
  const [sent, ran] = [seconds(sending, running), seconds(running, ended)]
  process.stdout.write(
    `${[
      `import: ${job.made} made, ${job.failed} refused of ${job.total}, as it should be`,
      `sent in ${sent.toFixed(1)} s, made in ${ran.toFixed(1)} s: ${(rows / (sent + ran)).toFixed(0)} users/s; ${cpuSeconds.toFixed(1)} s of CPU`,
      `bare COPY of ${bare.rows} rows: ${bare.seconds.toFixed(1)} s; the import takes ${((sent + ran) / bare.seconds).toFixed(1)} times that`,
      `memory of the server: ${memory.before.toFixed(0)} MB before; at most ${memory.first.toFixed(0)} MB in the first half and ${memory.second.toFixed(0)} MB in the second half of the job`,
    ].join('\n')}\n`,
  )
})

async function call<T>(stand: Stand, method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const reply = await fetch(stand.address + path, {
    method,
    headers: { ...stand.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!reply.ok) throw new Error(`${path} answered ${await reply.text()}`)
  return (await reply.json()) as T
}

async function newProject(stand: Stand): Promise<string> {
  const path = '/cpms/project-management-service/v1/projects'
  const { projectId } = await call<{ projectId: string }>(stand, 'POST', path, { name: 'Imported' })
  return projectId
}

async function sendAll(stand: Stand, projectId: string, kinds: readonly KindOfHash[]): Promise<string> {
  let importId: string | undefined
  for (let from = 0; from < rows; from += rowsOfPart) {
    const kind = kinds[(from / rowsOfPart) % kinds.length] as KindOfHash
    const body = {
      ...{ projectId, importId, hash: kind.hash, more: from + rowsOfPart < rows },
      users: usersOfKind(kind, from, rowsOfPart),
    }
    const reply = await call<{ import: { importId: string } }>(stand, 'POST', importPath, body)
    importId = reply.import.importId
  }
  return importId ?? ''
}

interface Job {
  state: string
  total: number
  doneRows: number
  made: number
  failed: number
}

async function untilDone(stand: Stand, projectId: string, importId: string): Promise<Job> {
  for (;;) {
    const query = new URLSearchParams({ projectId, importId, pageSize: '1' })
    const { import: job } = await call<{ import: Job }>(stand, 'GET', `${importPath}?${query}`)
    halfWay = job.doneRows > rows / 2
    if (job.state === 'DONE') return job
    if (job.state === 'FAILED') throw new Error('the import failed')
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

function watchMemory(pid: number) {
  const seen = { before: memoryMb(pid), first: 0, second: 0 }
  const timer = setInterval(() => {
    const half = halfWay ? 'second' : 'first'
    seen[half] = Math.max(seen[half], memoryMb(pid))
  }, 500)
  return () => {
    clearInterval(timer)
    return seen
  }
}

/** The users that are there now, as PostgreSQL itself writes them out and takes them in again. */
async function copyThem(stand: Stand, projectId: string): Promise<{ rows: number; seconds: number }> {
  const client = new pg.Client({ connectionString: stand.databases.CN?.ownerUrl ?? '' })
  await client.connect()
  try {
    await client.query('CREATE TABLE bare_users (LIKE app_users INCLUDING ALL)')
    const text = await copyOut(client, `COPY (SELECT * FROM app_users WHERE project_id = ${projectId}) TO STDOUT`)
    const from = performance.now()
    await copyIn(client, 'COPY bare_users FROM STDIN', text)
    const seconds = (performance.now() - from) / 1000
    const { rows: counted } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM bare_users')
    return { rows: counted[0]?.n ?? 0, seconds }
  } finally {
    await client.end()
  }
}

type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** What pg tells of a statement, without a result set. */
function submit(client: pg.Client, text: string, handlers: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = {
      submit: (connection: Connection) => {
        connection.query(text)
        return null
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(),
      handleCommandComplete: () => undefined,
      handleRowDescription: () => undefined,
      ...handlers,
    }
    client.query(query as unknown as pg.Submittable)
  })
}

async function copyOut(client: pg.Client, text: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  await submit(client, text, { handleCopyData: ({ chunk }: { chunk: Buffer }) => chunks.push(Buffer.from(chunk)) })
  return Buffer.concat(chunks)
}

async function copyIn(client: pg.Client, text: string, bytes: Buffer): Promise<void> {
  const handleCopyInResponse = (connection: CopyConnection) => {
    for (let at = 0; at < bytes.length; at += 65_536) connection.sendCopyFromChunk(bytes.subarray(at, at + 65_536))
    connection.endCopyFrom()
  }
  await submit(client, text, { handleCopyInResponse })
}

import { storage } from '../src/services/build/storage/contract.ts'
import { storageSecurity } from '../src/services/build/storage/security/contract.ts'
import { appUserOf, callerOf } from './app-user.ts'
import { type Figure, inTurns, startProgram, words } from './measure.ts'
import { type Stand, withStand } from './stand.ts'

/**
 * Files of an app's user over the device wire, with rules on, beside a Node server that streams the same bytes from a file
 * and writes them with fsync. What PostgreSQL spends counts as ours.
 */
const rules = `agc.cloud.storage[
  match: /{bucket}/users/{uid}/{path=**} { allow read, write: if request.auth != null && request.auth.uid == uid; }
  match: /{bucket}/shared/{path=**} {
    allow read: if request.auth != null && resource.size > 0;
    allow create, update: if request.auth != null && request.resource.size < 100 * 1024 * 1024;
  }
]`
const sizes = [
  { name: '4 kB', bytes: 4_096 },
  { name: '1 MB', bytes: 1_048_576 },
]
const wanted = { read: 0.7, write: 0.6 }
/** Each connection writes files of its own, in turns: writers of one file wait for each other. */
const filesOfConnection = 8

/** Text, so that nothing on the way takes it for something else. */
const bodyOf = (bytes: number) => Buffer.alloc(bytes, 'abcdefghijklmnopqrstuvwxyz012345')

function report(what: string, limit: number, { ours, peer }: { ours: Figure; peer: Figure }): void {
  const cpu = peer.cpuUs / ours.cpuUs
  const calls = ours.callsPerSecond / peer.callsPerSecond
  const verdict = (ratio: number) => `${ratio.toFixed(2)} (${ratio >= limit ? 'within' : 'UNDER'} ${limit})`
  process.stdout.write(`${what}: CPU ${verdict(cpu)}, calls a second ${verdict(calls)}; ${words({ ours, peer })}\n`)
}

async function bucketOf(stand: Stand, projectId: string): Promise<string> {
  const call = callerOf(stand)
  const { bucketId } = await call<{ bucketId: string }>(storage, 'initData', {
    body: { projectId, bucketName: 'bench-files' },
  })
  await stand.asOwner('cn', `UPDATE storage_services SET level = 'PAID'; SELECT pg_notify('storage_buckets', '')`)
  const { version } = await call<{ version: number }>(storageSecurity, 'getSecurityRuleResource', {
    body: { projectId },
  })
  await call(storageSecurity, 'setSecurityRule', { body: { projectId, source: rules, baseVersion: version } })
  return bucketId
}

await withStand(async stand => {
  const { projectId, headers } = await appUserOf(stand)
  const bucketId = await bucketOf(stand, projectId)
  const plain = await startProgram('plain-files-server.ts', { DATA: stand.dataDir })
  const ourFolder = `${stand.address}/v0/${bucketId}/shared`
  const put = async (url: string, body: Buffer, more: Record<string, string>) => {
    const reply = await fetch(url, { method: 'PUT', body, headers: more })
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  }
  const target = (name: string, url: string, more: object) => ({
    name,
    pid: url.startsWith(stand.address) ? stand.pid : plain.pid,
    ...(url.startsWith(stand.address) ? { postgresPid: stand.postgresPid } : {}),
    request: { url, headers: url.startsWith(stand.address) ? headers : {}, ...more },
  })
  try {
    for (const { name, bytes } of sizes) {
      const body = bodyOf(bytes)
      const file = `read-${bytes}.bin`
      await put(`${ourFolder}/${file}`, body, headers)
      await put(`${plain.address}/${file}`, body, {})
      const read = await inTurns(
        target(`ours`, `${ourFolder}/${file}`, {}),
        target(`plain`, `${plain.address}/${file}`, {}),
      )
      report(`get ${name}`, wanted.read, read)
    }
    for (const { name, bytes } of sizes) {
      const body = bodyOf(bytes)
      const writing = (folder: string) => {
        let connection = 0
        return {
          method: 'PUT' as const,
          body,
          setupClient: (client: { setRequests(list: object[]): void }) => {
            const own = connection++
            const more = folder.startsWith(stand.address) ? headers : {}
            const root = new URL(folder).pathname.replace(/\/$/, '')
            client.setRequests(
              Array.from({ length: filesOfConnection }, (_one, at) => ({
                method: 'PUT',
                path: `${root}/write-${bytes}-${own}-${at}.bin`,
                headers: more,
                body,
              })),
            )
          },
        }
      }
      const write = await inTurns(
        target(`ours`, ourFolder, writing(ourFolder)),
        target(`plain`, plain.address, writing(plain.address)),
      )
      report(`put ${name}`, wanted.write, write)
    }
  } finally {
    await plain.end()
  }
})

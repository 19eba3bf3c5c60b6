import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'

const purpose = 'storage access keys'

export const sealSecret = (server: Server, accessKeyId: string, secret: string) =>
  server.masterKey.seal(purpose, accessKeyId, secret)

/** A key that signs, as every signed request needs it. */
export interface KnownKey {
  accessKeyId: string
  secret: string
  teamId: string
  projectId: string
  zone: ZoneId
  isReadOnly: boolean
  services: readonly ('storage' | 'functions')[]
  /** Who made it, and answers for it. */
  createdBy: string
  bucketId: string | null
  expiresAt: number | null
}

export const keySignal = 'storage_keys'
const maxKept = 10_000
const kept = new WeakMap<Server, Map<string, Promise<KnownKey | null>>>()
/** When a key was last written down as used; once an hour is enough for people. */
const toldUsed = new WeakMap<Server, Map<string, number>>()
const usedEveryMs = 3_600_000

function keptOf(server: Server): Map<string, Promise<KnownKey | null>> {
  let keys = kept.get(server)
  if (!keys) {
    keys = new Map()
    kept.set(server, keys)
  }
  return keys
}

/** A key that was deleted is refused at once, on every process. */
export function keepKeysFresh(server: Server): void {
  server.signals.on('home', keySignal, accessKeyId => {
    if (accessKeyId === '') keptOf(server).clear()
    else keptOf(server).delete(accessKeyId)
  })
}

/** The key of a name, from memory after the first time; null where there is none, or it has ended. */
export async function keyOf(server: Server, accessKeyId: string): Promise<KnownKey | null> {
  if (!/^[A-Z0-9]{16,40}$/.test(accessKeyId)) return null
  const keys = keptOf(server)
  let found = keys.get(accessKeyId)
  if (!found) {
    if (keys.size >= maxKept) keys.clear()
    found = lookUp(server, accessKeyId)
    keys.set(accessKeyId, found)
    void found.then(
      key => key === null && keys.delete(accessKeyId),
      () => keys.delete(accessKeyId),
    )
  }
  const key = await found
  return key !== null && (key.expiresAt === null || key.expiresAt > server.clock.now()) ? key : null
}

async function lookUp(server: Server, accessKeyId: string): Promise<KnownKey | null> {
  const [zone] = server.config.zones
  if (zone === undefined) return null
  const { rows } = await systemContext(server, zone, { name: 'storage' }).transact(inner =>
    inner.transaction('home').query<Omit<KnownKey, 'secret'> & { sealedSecret: string; expiresAt: string | null }>({
      name: 'storage key',
      text: `SELECT access_key_id AS "accessKeyId", sealed_secret AS "sealedSecret", team_id AS "teamId", project_id AS "projectId",
          zone, is_read_only AS "isReadOnly", services, created_by AS "createdBy", bucket_id AS "bucketId", expires_at AS "expiresAt"
        FROM storage_access_keys WHERE access_key_id = $1`,
      values: [accessKeyId],
    }),
  )
  const [row] = rows
  if (!row) return null
  const { sealedSecret, expiresAt, ...key } = row
  const secret = server.masterKey.open(purpose, accessKeyId, sealedSecret)
  return { ...key, secret, expiresAt: expiresAt === null ? null : Number(expiresAt) }
}

/** Writes down, now and then, that a key is in use. */
export function tellUsed(server: Server, { accessKeyId, zone }: KnownKey): void {
  let told = toldUsed.get(server)
  if (!told) {
    told = new Map()
    toldUsed.set(server, told)
  }
  const now = server.clock.now()
  if (now - (told.get(accessKeyId) ?? 0) < usedEveryMs) return
  if (told.size >= maxKept) told.clear()
  told.set(accessKeyId, now)
  void systemContext(server, zone, { name: 'storage' })
    .transact(inner =>
      inner.transaction('home').query({
        text: 'UPDATE storage_access_keys SET last_used_at = $2 WHERE access_key_id = $1',
        values: [accessKeyId, now],
      }),
    )
    .catch(error => server.log.warn({ err: error }, 'the use of a key was not written down'))
}

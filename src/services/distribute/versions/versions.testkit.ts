import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { headers } from '../../../kernel/wire.ts'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import { versions } from './contract.ts'
import { versionHistory } from './history/contract.ts'
import { versionListings } from './listing/contract.ts'
import { type Decision, decideVersion } from './public.ts'

/** A PNG of one colour and any size. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}

export async function upload(stage: Stage, who: Person, bytes: Buffer, fileName: string, bizTag: string) {
  const reply = await stage.app.inject({
    method: 'POST',
    url: `/cfs/file_service/v1/upload/object?${new URLSearchParams({ fileName, bizTag })}`,
    headers: {
      cookie: who.cookie,
      [headers.csrf]: who.csrfToken,
      [headers.team]: who.teamId,
      'content-type': 'application/octet-stream',
    },
    payload: bytes,
  })
  if (reply.statusCode !== 200) throw new Error(`upload answered ${reply.statusCode}: ${reply.body}`)
  return String(reply.json().urlsInfo[0].objectId)
}

let made = 0

export async function newApp(who: Person, wish: { name?: string; packageType?: 'ANDROID' | 'NO_PACKAGE' } = {}) {
  const { projectId } = await who.ok(projects, 'createProject', { body: { name: `project ${++made}` } })
  const body = {
    projectId,
    name: wish.name ?? `App ${made} of ${who.loginName}`,
    packageType: wish.packageType ?? ('ANDROID' as const),
    defaultLang: 'enUS',
    deviceTypes: [4],
    kindMainTag: 10101,
  }
  return who.ok(apps, 'createApp', { body })
}

export interface PackageWish {
  appId: string
  versionCode: number
  signers?: string[]
  lineage?: string[]
  state?: 'PARSING' | 'READY' | 'FAILED'
  usage?: 'TEST_ONLY' | 'TEST_AND_FORMAL'
}

/** A package as the packages service leaves it, over bytes that are really there. */
export async function putPackage(stage: Stage, who: Person, wish: PackageWish): Promise<string> {
  const bytes = Buffer.from(`package ${wish.appId} ${wish.versionCode} ${++made}`)
  const objectId = await upload(stage, who, bytes, 'sample.apk', 'app_pkg')
  const pkgId = stage.booted.server.ids.next()
  const now = stage.clock.now()
  await stage.sql(
    'CN',
    `INSERT INTO packages (pkg_id, team_id, app_id, kind, usage, object_id, file_name, size_bytes, sha256, version_code,
      version_name, target_sdk, signers, lineage, state, task_id, uploaded_by, created_at, updated_at)
    VALUES ($1, $2, $3, 'APK', $4, $5, 'sample.apk', $6, $7, $8, $9, 34, $10, $11, $12, 1, $13, $14, $14)`,
    [
      pkgId,
      who.teamId,
      wish.appId,
      wish.usage ?? 'TEST_AND_FORMAL',
      objectId,
      bytes.length,
      createHash('sha256').update(bytes).digest('hex'),
      wish.versionCode,
      `1.${wish.versionCode}`,
      wish.signers ?? ['aa'.repeat(32)],
      wish.lineage ?? [],
      wish.state ?? 'READY',
      who.accountId,
      now,
    ],
  )
  return pkgId
}

/** The version being prepared, with everything a submit asks for. */
export async function fillDraft(
  stage: Stage,
  who: Person,
  appId: string,
  versionCode: number,
  wish: Partial<PackageWish> & { pkgId?: string } = {},
) {
  const pkgId = wish.pkgId ?? (await putPackage(stage, who, { appId, versionCode, ...wish }))
  const found = await who.ok(versions, 'getVersion', { query: { appId } })
  const draft = found.open ? found.version! : await who.ok(versions, 'createVersion', { body: { appId } })
  const icon = await upload(stage, who, png(216, 216), 'icon.png', 'app_img')
  const shots = await Promise.all([1, 2, 3].map(() => upload(stage, who, png(720, 1280), 'shot.png', 'app_img')))
  const { version } = await who.ok(versionListings, 'updateListing', {
    body: {
      versionId: draft.versionId,
      lang: 'enUS',
      briefInfo: 'A sample',
      appDesc: 'An app made to be published.',
      newFeatures: 'Everything is new.',
      iconObjectId: icon,
      screenshots: [{ deviceType: 4, showType: 0, objectIds: shots }],
      revision: draft.revision,
    },
  })
  return who.ok(versions, 'updateVersion', {
    body: {
      versionId: draft.versionId,
      pkgId,
      countries: ['DE', 'CN'],
      privacyPolicyUrl: 'https://example.com/privacy',
      revision: version.revision,
    },
  })
}

/** Submits and waits until the pre-check is over. */
export async function submitted(stage: Stage, who: Person, versionId: string, wish: Record<string, unknown> = {}) {
  await who.ok(versions, 'submitVersion', { body: { versionId, ...wish } })
  await stage.settle()
  return current(who, versionId)
}

export async function current(who: Person, versionId: string) {
  return (await who.ok(versionHistory, 'getHistoryVersion', { query: { versionId } })).version
}

/** What tests of review and release do over and over, for one owner whose session goes on with the clock. */
export async function openScene() {
  const stage = await openStage()
  const scene = {
    stage,
    owner: await stage.person(),
    system: () => systemContext(stage.booted.server, 'CN', { name: 'review' }),
    decide: (decision: Decision) => scene.system().transact(ctx => decideVersion(ctx, decision)),
    approve: (versionId: string) => scene.decide({ versionId, verdict: 'approve' }),
    state: async (versionId: string) => (await current(scene.owner, versionId)).state,
    /** Time goes on; the session would run out with it. */
    turn: async (ms: number) => {
      await stage.settle()
      stage.clock.turn(ms)
      scene.owner = await stage.person({ team: scene.owner.teamId, roles: ['leader'] })
    },
    inReview: async (appId: string, versionCode: number, wish: Record<string, unknown> = {}) => {
      const { versionId } = await fillDraft(stage, scene.owner, appId, versionCode)
      return submitted(stage, scene.owner, versionId, wish)
    },
    onShelf: async (appId: string, versionCode = 10) => {
      const { versionId } = await scene.inReview(appId, versionCode)
      await scene.approve(versionId)
      return current(scene.owner, versionId)
    },
    eventsOf: async (versionId: string) => {
      const rows = await stage.sql<{ type: string }>(
        'CN',
        'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id',
        [versionId],
      )
      return rows.map(row => row.type)
    },
  }
  return scene
}

export type Scene = Awaited<ReturnType<typeof openScene>>

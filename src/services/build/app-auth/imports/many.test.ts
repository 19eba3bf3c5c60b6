import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, byPassword, type Device, openApp, userOfReply } from '../app-auth.testkit.ts'
import { userImports } from './contract.ts'
import { importedPassword, type KindOfHash, sixKinds, usersOfKind } from './six-kinds.testkit.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
let kinds: KindOfHash[]
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  device = await app.install()
  kinds = await sixKinds()
})
afterAll(() => stage.close())

const parts = 6
const rowsOfPart = 1000

async function importAll(more: object) {
  const { owner, projectId } = app
  let importId: string | undefined
  for (let part = 0; part < parts; part++) {
    const kind = kinds[part % kinds.length] as KindOfHash
    const { import: job } = await owner.ok(userImports, 'importUsers', {
      body: {
        ...{ projectId, importId, hash: kind.hash as never, more: part < parts - 1 },
        users: usersOfKind(kind, part * rowsOfPart, rowsOfPart),
        ...(part === 0 ? more : {}),
      },
    })
    importId = job.importId
  }
  const seen = new Set<number>()
  for (;;) {
    const told = await owner.ok(userImports, 'getImport', { query: { projectId, importId: importId ?? '' } })
    seen.add(told.import.doneRows)
    if (told.import.state === 'DONE' || told.import.state === 'FAILED') return { ...told, seen }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

describe('an import of thousands in six kinds of hashes', () => {
  const total = parts * rowsOfPart
  // Of each thousand ten have no address; the first one of each has that of the very first.
  const failed = parts * 10 + parts - 1

  it('tried out tells each fault of all parts and makes nobody', async () => {
    const told = await importAll({ dryRun: true })
    expect(told.import).toMatchObject({ state: 'DONE', total, doneRows: total, made: total - failed, failed })
    expect(told.total).toBe(failed)
    expect(await stage.sql('CN', 'SELECT 1 FROM app_users LIMIT 1')).toEqual([])
  })

  it('with FAIL makes nobody for one fault, and names all of them', async () => {
    const told = await importAll({ onConflict: 'FAIL' })
    expect(told.import).toMatchObject({ state: 'FAILED', failed, made: 0 })
    expect(told.total).toBe(failed)
    expect(await stage.sql('CN', 'SELECT 1 FROM app_users LIMIT 1')).toEqual([])
  })

  it('is one job with progress; a sample of each kind signs in, and twins of other parts are told', async () => {
    const told = await importAll({})
    expect(told.import).toMatchObject({ state: 'DONE', total, doneRows: total, made: total - failed, failed })
    expect(told.seen.size).toBeGreaterThan(2)
    const twins = await stage.sql(
      'CN',
      `SELECT index FROM app_user_import_rows WHERE import_id = $1 AND code = 'TWICE'`,
      [told.import.importId],
    )
    expect(twins.map(one => one['index']).sort()).toEqual([1000, 2000, 3000, 4000, 5000])
    for (const [part, { hash }] of kinds.entries()) {
      const email = `u${part * rowsOfPart + 7}@example.com`
      const wrong = await device.send('POST', '/user-signin', byPassword(email, 'Old-secret-43'))
      expect([hash['algorithm'], wrong.body.ret.code]).toEqual([hash['algorithm'], 203818004])
      const signedIn = await device.send('POST', '/user-signin', byPassword(email, importedPassword))
      expect([hash['algorithm'], signedIn.body.ret.code]).toEqual([hash['algorithm'], 0])
      const { uid } = userOfReply(signedIn)
      const [row] = await stage.sql('CN', 'SELECT password_hash, foreign_hash FROM app_users WHERE uid = $1', [uid])
      expect([row?.['foreign_hash'], String(row?.['password_hash'])]).toEqual([
        null,
        expect.stringMatching(/^\$argon2id/),
      ])
    }
  })

  it('leaves nothing of its keys, rows and signing keys behind', async () => {
    expect(await stage.sql('CN', 'SELECT 1 FROM app_user_import_keys')).toEqual([])
    expect(await stage.sql('CN', 'SELECT 1 FROM app_user_import_rows WHERE row IS NOT NULL')).toEqual([])
  })
})

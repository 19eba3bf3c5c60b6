import { createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto'
import { hash as argon } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingPrograms, runProgram } from '../../../../server/programs.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, byPassword, type Device, openApp, userOfReply } from '../app-auth.testkit.ts'
import { bcryptNeeds } from '../foreign-hashes.ts'
import { userImports } from './contract.ts'

const hasPerl = (await missingPrograms(bcryptNeeds)) === null
let stage: Stage
let app: AppOnDevice
let device: Device
let owner: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  device = await app.install()
  owner = app.owner
  projectId = app.projectId
})
afterAll(() => stage.close())

const secret = 'Old-secret-42'
const salt = Buffer.from('a salt of sixteen')
const base64 = (bytes: Buffer) => bytes.toString('base64')

type Sent = Parameters<Person['ok']>[2] extends undefined ? never : Record<string, unknown>
const take = (body: Sent) => owner.call(userImports, 'importUsers', { body: { projectId, ...body } as never })
const signIn = (email: string, word = secret) => device.send('POST', '/user-signin', byPassword(email, word))

describe('passwords that were hashed elsewhere', () => {
  const key = Buffer.from('a key of the peer')
  const kinds: [string, Record<string, unknown>, () => string][] = [
    [
      'HMAC_SHA256',
      { key: base64(key), order: 'PASSWORD_FIRST' },
      () =>
        base64(
          createHmac('sha256', key)
            .update(Buffer.concat([Buffer.from(secret), salt]))
            .digest(),
        ),
    ],
    [
      'HMAC_MD5',
      { key: base64(key), order: 'SALT_FIRST', encoding: 'HEX' },
      () =>
        createHmac('md5', key)
          .update(Buffer.concat([salt, Buffer.from(secret)]))
          .digest('hex'),
    ],
    [
      'MD5',
      { encoding: 'HEX' },
      () =>
        createHash('md5')
          .update(Buffer.concat([Buffer.from(secret), salt]))
          .digest('hex'),
    ],
    [
      'SHA512',
      { rounds: 3 },
      () => {
        let digest = createHash('sha512')
          .update(Buffer.concat([Buffer.from(secret), salt]))
          .digest()
        for (let round = 1; round < 3; round++) digest = createHash('sha512').update(digest).digest()
        return base64(digest)
      },
    ],
    ['PBKDF2_SHA256', { rounds: 1000 }, () => base64(pbkdf2Sync(secret, salt, 1000, 32, 'sha256'))],
    [
      'STANDARD_SCRYPT',
      { memoryCost: 1024, blockSize: 8, parallelization: 1, keyLength: 64 },
      () => base64(scryptSync(secret, salt, 64, { N: 1024, r: 8, p: 1 })),
    ],
  ]

  it.each(kinds)('as %s sign in, and are ours from then on', async (algorithm, params, hashed) => {
    const email = `${algorithm.toLowerCase()}@example.com`
    const encode = params['encoding'] === 'HEX' ? salt.toString('hex') : base64(salt)
    const reply = await take({
      users: [{ email, emailVerified: true, passwordHash: hashed(), salt: encode }],
      hash: { algorithm, ...params },
    })
    expect(reply.body).toMatchObject({ success: 1, failures: [] })
    expect((await signIn(email, 'wrong-Word-1')).body.ret.code).toBe(203818004)
    const { uid } = userOfReply(await signIn(email))
    const [row] = await stage.sql<{ password_hash: string; foreign_hash: unknown }>(
      'CN',
      'SELECT password_hash, foreign_hash FROM app_users WHERE uid = $1',
      [uid],
    )
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
    expect(row?.foreign_hash).toBeNull()
    userOfReply(await signIn(email))
  })

  it('as SCRYPT of Firebase sign in: its own published example', async () => {
    // The example of the project's open scrypt tool: password, salt, separator, signer key and hash are published.
    const users = [
      {
        email: 'scrypt@example.com',
        passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
        salt: '42xEC+ixf3L2lw==',
      },
    ]
    const hash = {
      algorithm: 'SCRYPT',
      key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
      saltSeparator: 'Bw==',
      rounds: 8,
      memoryCost: 14,
    }
    expect((await take({ users, hash })).body).toMatchObject({ success: 1 })
    userOfReply(await signIn('scrypt@example.com', 'user1password'))
  })

  it('as ARGON2 sign in', async () => {
    const passwordHash = await argon(secret, { memoryCost: 4096, timeCost: 2, parallelism: 1 })
    await take({ users: [{ email: 'argon2@example.com', passwordHash }], hash: { algorithm: 'ARGON2' } })
    userOfReply(await signIn('argon2@example.com'))
  })

  it.skipIf(!hasPerl)('as BCRYPT sign in (needs perl: apt-get install perl-base)', async () => {
    const salted = '$2b$04$abcdefghijklmnopqrstuu'
    const passwordHash = (
      await runProgram('perl', ['-e', `my $p = <STDIN>; chomp $p; print crypt($p, q(${salted}))`], {
        folder: '/tmp',
        lines: [secret],
      })
    ).replace('$2b$', '$2a$')
    await take({ users: [{ email: 'bcrypt@example.com', passwordHash }], hash: { algorithm: 'BCRYPT' } })
    expect((await signIn('bcrypt@example.com', 'wrong-Word-1')).body.ret.code).toBe(203818004)
    userOfReply(await signIn('bcrypt@example.com'))
  })

  it('must say what they need, and may not cost more than one sign-in can afford', async () => {
    const users = [{ email: 'x@example.com', passwordHash: base64(Buffer.alloc(32)) }]
    for (const hash of [
      { algorithm: 'HMAC_SHA256' },
      { algorithm: 'PBKDF2_SHA256' },
      { algorithm: 'SCRYPT', key: 'AA==', rounds: 8 },
      { algorithm: 'SCRYPT', key: 'AA==', rounds: 8, memoryCost: 30 },
      { algorithm: 'STANDARD_SCRYPT', memoryCost: 1_048_576, blockSize: 64, parallelization: 1, keyLength: 64 },
    ])
      expect((await take({ users, hash })).body.ret.code).toBe(204020007)
    expect((await take({ users })).body.failures).toMatchObject([{ code: 'NO_HASH' }])
    const bomb = '$argon2id$v=19$m=4194304,t=100,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA'
    const hash = { algorithm: 'ARGON2' }
    expect((await take({ users: [{ email: 'x@example.com', passwordHash: bomb }], hash })).body.failures).toMatchObject(
      [{ code: 'HASH' }],
    )
  })
})

describe('an import', () => {
  const rows = (count: number, prefix: string) =>
    Array.from({ length: count }, (_none, at) => ({
      email: `${prefix}${at}@example.com`,
      displayName: `U ${at}`,
      importUid: `${prefix}-${at}`,
    }))

  it('tells each row that is wrong and takes the others', async () => {
    const reply = await take({
      users: [
        { email: 'fine@example.com' },
        { email: 'FINE@example.com ' },
        { email: 'no address' },
        { phone: '123' },
        {},
        { email: 'c@example.com', claims: { sub: 'x' } },
        { email: 'p@example.com', photoUrl: 'javascript:alert(1)' },
        { importUid: 'only-id', providers: [{ provider: 8, issuer: 'https://accounts.google.com', openId: '1' }] },
      ],
    })
    expect(reply.body).toMatchObject({ success: 2, import: { state: 'DONE', made: 2, failed: 6 } })
    expect((reply.body as unknown as { failures: { code: string }[] }).failures.map(one => one.code)).toEqual([
      'TWICE',
      'EMAIL',
      'PHONE',
      'NOBODY',
      'CLAIMS',
      'PHOTO',
    ])
    const stored = await owner.ok(userImports, 'getImport', {
      query: {
        projectId,
        importId: (reply.body as unknown as { import: { importId: string } }).import.importId,
        pageSize: 4,
      },
    })
    expect([stored.total, stored.list.length]).toEqual([6, 4])
    expect(JSON.stringify(stored)).not.toContain('javascript')
  })

  it('only tried out makes nobody; with FAIL one fault stops all; MERGE fills up who is there', async () => {
    const users = [{ email: 'merge@example.com' }, { email: 'fresh@example.com' }]
    await take({ users: [{ email: 'merge@example.com' }] })
    expect((await take({ users, dryRun: true })).body).toMatchObject({
      success: 1,
      failures: [{ index: 0, code: 'EXISTS' }],
    })
    expect((await take({ users, onConflict: 'FAIL' })).body).toMatchObject({ success: 0, import: { state: 'FAILED' } })
    const count = async () =>
      (
        await stage.sql<{ all: number }>(
          'CN',
          `SELECT count(*)::int AS all FROM app_users WHERE email = 'fresh@example.com'`,
        )
      )[0]?.all
    expect(await count()).toBe(0)
    const named = [{ email: 'merge@example.com', displayName: 'Merged' }, { email: 'fresh@example.com' }]
    expect((await take({ users: named, onConflict: 'MERGE' })).body).toMatchObject({ import: { made: 1, merged: 1 } })
  })

  it('in parts runs as a job with progress, and a part of another project is not there', async () => {
    const first = await take({ users: rows(1000, 'part-a'), more: true })
    const { importId } = (first.body as unknown as { import: { importId: string } }).import
    expect(first.body).toMatchObject({ import: { state: 'FILLING', total: 1000 } })
    const other = await openApp(stage)
    const foreign = { projectId: other.projectId, importId, users: rows(1, 'x') }
    expect((await other.owner.call(userImports, 'importUsers', { body: foreign })).status).toBe(404)
    await take({ importId, users: [...rows(400, 'part-b'), ...rows(1, 'part-a')] })
    await stage.settle()
    const { import: done, list } = await owner.ok(userImports, 'getImport', { query: { projectId, importId } })
    expect(done).toMatchObject({ state: 'DONE', total: 1401, doneRows: 1401, made: 1400, failed: 1 })
    expect(list).toMatchObject([{ index: 1400, code: 'TWICE' }])
    expect((await take({ importId, users: rows(1, 'late') })).body.ret.code).toBe(204020006)
    const left = await stage.sql('CN', 'SELECT 1 FROM app_user_import_rows WHERE import_id = $1 AND row IS NOT NULL', [
      importId,
    ])
    expect(left).toEqual([])
  })

  it('that died between two parts goes on where it was, and makes nobody twice', async () => {
    const first = await take({ users: rows(1000, 'die'), more: true })
    const { importId } = (first.body as unknown as { import: { importId: string } }).import
    await stage.sql('CN', `UPDATE app_user_imports SET state = 'RUNNING' WHERE import_id = $1`, [importId])
    const { runImportJob } = await import('./run.ts')
    const { systemContext } = await import('../../../../server/context.ts')
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: owner.teamId })
    const stop = new AbortController()
    const job = {
      ...{
        jobId: '1',
        input: { importId },
        teamId: owner.teamId,
        zone: 'CN' as const,
        attempt: 1,
        signal: stop.signal,
      },
      progress: async () => stop.abort(new Error('killed')),
    }
    await expect(runImportJob(ctx, job)).rejects.toThrow('killed')
    const half = await owner.ok(userImports, 'getImport', { query: { projectId, importId } })
    expect(half.import).toMatchObject({ state: 'RUNNING', doneRows: 500, made: 500 })
    await runImportJob(ctx, { ...job, signal: new AbortController().signal, progress: async () => undefined })
    const done = await owner.ok(userImports, 'getImport', { query: { projectId, importId } })
    expect(done.import).toMatchObject({ state: 'DONE', made: 1000, failed: 0 })
  })
})

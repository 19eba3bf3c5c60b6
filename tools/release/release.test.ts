import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { androidToolsHint, hasAndroidTools } from '../../src/services/distribute/packages/apk/build-apk.testkit.ts'
import {
  builtApk,
  openScene,
  releasing,
  type Scene,
} from '../../src/services/distribute/publishing/publishing.testkit.ts'
import type { Tool } from '../../src/services/distribute/publishing/tools.testkit.ts'
import { versions } from '../../src/services/distribute/versions/contract.ts'
import { root } from '../steps.ts'

const canRun = hasAndroidTools()

/** The command itself, against a server that listens. */
describe.skipIf(!canRun)(`loggia release${canRun ? '' : ` (skipped: ${androidToolsHint})`}`, () => {
  let scene: Scene
  let tool: Tool
  let folder: string
  beforeAll(async () => {
    scene = await openScene()
    tool = await scene.tool()
    folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-release-'))
  })
  afterAll(async () => {
    await scene.stage.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function loggia(args: string[], as: Tool = tool) {
    const env = {
      ...process.env,
      LOGGIA_URL: as.origin,
      LOGGIA_CLIENT_ID: as.clientId,
      LOGGIA_CLIENT_SECRET: as.clientSecret,
    }
    const child = spawn('sh', [`${root}tools/loggia.sh`, 'release', ...args], { env })
    let [out, err] = ['', '']
    child.stdout.on('data', chunk => {
      out += chunk
    })
    child.stderr.on('data', chunk => {
      err += chunk
    })
    return new Promise<{ code: number | null; out: string; err: string }>(resolve =>
      child.on('close', code => resolve({ code, out, err })),
    )
  }

  it('finds the app by the package name in the APK, writes what is new, waits for the store, and ends with 0 on shelf', async () => {
    const notes = path.join(folder, 'notes.txt')
    writeFileSync(notes, 'The first of all\n')
    const running = loggia([await builtApk(folder, 1), '--notes', notes, '--wait', '--json'])
    await expect.poll(async () => (await scene.info()).appInfo.releaseState, { timeout: 60_000 }).toBe(4)
    await scene.decide('APPROVE')
    const { code, out, err } = await running
    expect([code, err]).toEqual([0, expect.stringContaining('uploaded\n')])
    expect(JSON.parse(out)).toMatchObject({ result: 'done', appId: scene.appId, versionCode: '1', releaseState: 0 })
    expect((await scene.info())['languages']).toMatchObject([{ newFeatures: 'The first of all' }])
  })

  it('only puts the package into the version with --no-submit', async () => {
    const { code, out } = await loggia([await builtApk(folder, 2), '--notes', 'The second', '--no-submit'])
    const { open } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    expect([code, open?.state]).toEqual([0, 'DRAFT'])
    expect(out).toMatch(/nothing was submitted/)
  })

  it('brings it to a share of devices with --phased, and ends with 4 and the reviewer’s words when it is rejected', async () => {
    const running = loggia([await builtApk(folder, 3), '--notes', 'The third', '--phased', '5', '--wait'])
    await expect.poll(async () => (await scene.info()).appInfo.releaseState, { timeout: 60_000 }).toBe(5)
    const { open } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    const { version } = await scene.owner.ok(versions, 'getVersion', {
      query: { appId: scene.appId, versionId: open?.versionId ?? '' },
    })
    expect(version?.releasePhase).toBe(3)
    await scene.decide('REJECT')
    const { code, err } = await running
    expect(code).toBe(4)
    expect(err).toContain('the store rejected the version')
    expect(err).toContain('It stops at the first screen.')
  })

  it('may run again with the same file: the package is the one that is there', async () => {
    const args = [await builtApk(folder, 4), '--notes', 'The fourth', '--no-submit', '--json']
    const [once, again] = [await loggia(args), await loggia(args)]
    expect([once.code, again.code]).toEqual([0, 0])
    expect(JSON.parse(again.out).pkgId).toBe(JSON.parse(once.out).pkgId)
  })

  it('ends with 3 and the list of what stands in the way', async () => {
    const { code, out, err } = await loggia([await builtApk(folder, 1), '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(out).list.length).toBeGreaterThan(0)
    expect(err).toMatch(/ {2}- \w+/)
  })

  it('ends with 5 where the sign-in fails, never printing the secret', async () => {
    const { code, out, err } = await loggia([await builtApk(folder, 4)], { ...tool, clientSecret: 'hush-hush-secret' })
    expect(code).toBe(5)
    expect(out + err).toContain('401')
    expect(out + err).not.toContain('hush-hush-secret')
  })

  it('ends with 5 where the client lacks a right, naming it, and where nobody answers', async () => {
    const lacking = await scene.tool(releasing.filter(one => one !== 'packages.upload'))
    const refused = await loggia([await builtApk(folder, 4)], lacking)
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('packages.upload')])
    const nowhere = await loggia([await builtApk(folder, 4)], { ...tool, origin: 'http://127.0.0.1:9' })
    expect([nowhere.code, nowhere.err]).toEqual([5, expect.stringContaining('does not answer')])
  })

  it('ends with 6 when the store takes longer than it may wait', async () => {
    const args = [await builtApk(folder, 5), '--notes', 'The fifth', '--wait', '--timeout', '0.1']
    const { code, err } = await loggia(args)
    expect([code, err]).toEqual([6, expect.stringContaining('the time is over')])
  })

  it.each([
    [[], /name one file/],
    [['no-such.apk'], /no file no-such.apk/],
    [['package.json'], /no APK/],
    [['package.json', '--phased', '120'], /--phased/],
    [['package.json', '--time', 'soon'], /--time/],
    [['package.json', '--colour', 'red'], /--colour/],
  ])('ends with 2 at %o', async (args, words) => {
    const { code, err } = await loggia(args.map(one => (one === 'package.json' ? `${root}package.json` : one)))
    expect([code, err]).toEqual([2, expect.stringMatching(words)])
    expect(err).toContain('loggia release FILE')
  })
})

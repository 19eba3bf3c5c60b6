import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { localObject } from '../../../ground/files/public.ts'
import { suiteWhen } from '../apk/android-suite.testkit.ts'
import { solidPng } from '../apk/png.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { madePackages } from '../signed/contract.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from './build-aab.testkit.ts'

const run = promisify(execFile)
const folder = temporaryFolder()

/** What the field's own tools read of a package: its manifest, its resources, its files. */
async function readByTools(path: string) {
  const manifest = (await run('aapt', ['dump', 'xmltree', path, 'AndroidManifest.xml'])).stdout
  const badging = (await run('aapt', ['dump', 'badging', path]).catch((error: { stdout: string }) => error)).stdout
  const files = (await run('unzip', ['-Z1', path])).stdout.trim().split('\n')
  const resources = files.includes('resources.arsc') ? (await run('aapt2', ['dump', 'resources', path])).stdout : ''
  return {
    name: /package: name='([^']*)' versionCode='([^']*)'/.exec(badging)?.slice(1),
    split: / A: split="([^"]*)"/.exec(manifest)?.[1] ?? null,
    needsSplits: /isSplitRequired\(0x01010591\)=\(type 0x12\)0x(?!0)/.test(manifest),
    libraries: files.filter(name => name.startsWith('lib/')),
    pictures: files.filter(name => name.includes('drawable')),
    languages: [
      ...new Set([...resources.matchAll(/^ +\((b\+[\w+]+|[a-z]{2,3}(?:-r[A-Z]{2})?)\) "/gm)].map(one => one[1])),
    ].sort(),
  }
}

suiteWhen(hasBundleTools(), bundleToolsHint, 'what devices install of a bundle', () => {
  let stage: Stage
  let developer: Person
  beforeAll(async () => {
    stage = await openStage()
    developer = await stage.person()
  })
  afterAll(() => stage.close())

  /** A copy of what a device would fetch. */
  async function fetched(objectId: string, name: string): Promise<string> {
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: developer.teamId })
    const file = await ctx.transact(inner => localObject(inner, objectId))
    const path = folder.path(name)
    await writeFile(path, await readFile(file.path))
    await file.release()
    return path
  }

  it('is a base with the libraries, pictures and texts for the device, signed alike, of one package and version', async () => {
    const { appId } = await newApp(developer, 'Sets')
    const library = (abi: string) => ({ [`base/lib/${abi}/liba.so`]: Buffer.alloc(3000, abi) })
    const file = await buildAab(folder.path('sets.aab'), {
      package: 'org.example.sets',
      versionCode: 7,
      labels: { de: 'Bündel', 'de-rAT': 'Bündel AT', ru: 'Пакет', 'b+zh+Hant': '套件' },
      resources: { 'drawable-mdpi/one.png': solidPng(10), 'drawable-xxhdpi/one.png': solidPng(30) },
      files: { ...library('arm64-v8a'), ...library('x86_64') },
    })
    const pkg = await processed(stage, developer, { appId, file, fileName: 'sets.aab' })
    expect([pkg.state, pkg.findings.filter(one => one.severity === 'BLOCK')]).toEqual(['READY', []])
    const ask = (device: { abis?: string; density?: number; languages?: string }) =>
      developer.ok(madePackages, 'getApks', { query: { appId, pkgId: pkg.pkgId, ...device } })
    const { parts, signers } = await ask({ abis: 'arm64-v8a', density: 420, languages: 'de-AT,fr' })
    expect(parts.map(one => [one.split, one.isChosen])).toEqual([
      [null, true],
      ['config.mdpi', false],
      ['config.xxhdpi', true],
      ['config.de_de_rAT', true],
      ['config.ru', false],
      ['config.b_zh_Hant', false],
      ['config.arm64_v8a', true],
      ['config.x86_64', false],
    ])
    const read = []
    for (const part of parts) {
      const path = await fetched(part.objectId, `${part.split ?? 'base'}.apk`)
      const { stdout } = await run('apksigner', ['verify', '--print-certs', '--min-sdk-version', '24', path])
      expect(stdout).toContain(`certificate SHA-256 digest: ${signers[0]}`)
      read.push(await readByTools(path))
    }
    expect(read.map(one => one.name)).toEqual(parts.map(() => ['org.example.sets', '7']))
    expect(read.map(one => one.split)).toEqual(parts.map(one => one.split))
    expect(read.map(one => one.needsSplits)).toEqual(parts.map(one => one.split === null))
    expect(read.map(one => one.libraries)).toEqual([
      ...[[], [], [], [], [], []],
      ['lib/arm64-v8a/liba.so'],
      ['lib/x86_64/liba.so'],
    ])
    expect(read.map(one => one.pictures)).toEqual([
      [],
      ['res/drawable-mdpi-v4/one.png'],
      ['res/drawable-xxhdpi-v4/one.png'],
      ...[[], [], [], [], []],
    ])
    expect(read.map(one => one.languages)).toEqual([[], [], [], ['de', 'de-rAT'], ['ru'], ['b+zh+Hant'], [], []])
    expect((await ask({ abis: 'mips', density: 420 })).parts.some(one => one.isChosen)).toBe(false)
    expect((await ask({ abis: 'x86_64' })).parts.some(one => one.isChosen)).toBe(false)
  })

  it('is one package where there is nothing to choose from', async () => {
    const { appId } = await newApp(developer, 'Plain')
    const file = await buildAab(folder.path('plain.aab'), { package: 'org.example.plainset' })
    const pkg = await processed(stage, developer, { appId, file, fileName: 'plain.aab' })
    const { parts, apks } = await developer.ok(madePackages, 'getApks', { query: { appId, pkgId: pkg.pkgId } })
    expect([parts, apks.length]).toEqual([[], 1])
  })
})

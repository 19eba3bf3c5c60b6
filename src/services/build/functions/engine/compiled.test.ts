import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryDataFolder } from '../../../../testkit/data-folder.ts'
import { CompiledCode } from './compiled.ts'
import { openEngine } from './engine.testkit.ts'
import { Launcher } from './launcher/launcher.ts'
import { ProcessEngine } from './processes.ts'
import { behindWalls, canWall, linkTree, makeRunFolder } from './sandbox.ts'

const isWalled = await canWall()
const packages = temporaryDataFolder('compiled', os.tmpdir())
const runFolder = await makeRunFolder()
const launcher = new Launcher(runFolder)
const compiled = new CompiledCode(runFolder, launcher)
afterAll(async () => {
  await compiled.close()
  await launcher.close()
  for (const folder of [packages, runFolder]) rmSync(folder, { recursive: true })
})

const parts = Array.from({ length: 2000 }, (_, at) => `exported.f${at} = (a, b) => a * ${at} + b`).join('\n')
const large = `const exported = {}\n${parts}\n`

let made = 0
function packageOf(files: Record<string, string>): string {
  const folder = path.join(packages, String(++made))
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => path.join(one.parentPath, one.name))

/** What Node says of its compile cache while it checks a file. */
async function saidOf(folder: string, cache: string): Promise<string> {
  const code = path.join(runFolder, `code-${made}`)
  await linkTree(folder, code)
  const binds = ['--ro-bind', process.execPath, '/node', '--ro-bind', code, '/fn', '--bind', cache, '/cache']
  const env = { NODE_COMPILE_CACHE: '/cache', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const node = ['/node', '--single-threaded-gc', '--v8-pool-size=1', '--check', '/fn/index.js']
  const [command = '', ...args] = [...behindWalls(env, binds), ...node]
  const { stderr } = await promisify(execFile)(command, args)
  return stderr
}

describe.skipIf(!isWalled)(isWalled ? 'what is compiled' : 'compiled (skipped: apt-get install bubblewrap)', () => {
  const endless = `${large}for (;;);\n`
  it.each<[string, string, Record<string, string>]>([
    ['what is required', 'index.handler', { 'index.js': `${endless}exports.handler = () => 1` }],
    ['a module', 'index.handler', { 'index.mjs': `${endless}export const handler = () => 1` }],
    [
      'a module by its package',
      'index.default',
      { 'index.js': `${endless}export default 1`, 'package.json': '{"type":"module"}' },
    ],
    ['a module by its words', 'index.default', { 'index.js': `${endless}export default 1` }],
    ['one that answers any name', 'index.handler', { 'index.mjs': `${endless}export * from './index.mjs'` }],
  ])('of %s never runs, and stays for all copies to read', async (_what, handler, files) => {
    const folder = packageOf(files)
    await compiled.make(folder, handler)
    const cache = filesIn(compiled.of(folder, handler) ?? '')
    expect(cache.length).toBeGreaterThan(0)
    expect(cache.map(one => statSync(one).mode & 0o777)).toEqual(cache.map(() => 0o444))
  })

  it('is what Node takes for its own', async () => {
    const folder = packageOf({ 'index.js': large })
    await compiled.make(folder, 'index.handler')
    const said = await saidOf(folder, compiled.of(folder, 'index.handler') ?? '')
    expect(said).toMatch(/reading cache from .* for CommonJS \/fn\/index\.js\.\.\..*success/)
    expect(said).toMatch(/for CommonJS \/fn\/index\.js was accepted/)
  })

  it.each<[string, Record<string, string>]>([
    ['a small file', { 'index.js': 'exports.handler = () => 1' }],
    ['a file that cannot be compiled', { 'index.js': `${large}this is no code` }],
    ['a file that is not there', { 'other.js': large }],
    ['a file of many words and little code, which does not run either', { 'index.js': `/*${large}*/ for (;;);` }],
    [
      'a module that begins with a file of CommonJS, which does not run either',
      { 'index.mjs': `import './endless.cjs'\n/*${large}*/`, 'endless.cjs': 'for (;;);' },
    ],
  ])('is nothing of %s, and nothing is left behind', async (_what, files) => {
    const before = readdirSync(runFolder)
    const folder = packageOf(files)
    await compiled.make(folder, 'index.handler')
    expect(compiled.of(folder, 'index.handler')).toBeNull()
    expect(readdirSync(runFolder)).toEqual(before)
  })

  it('is found by the copies that begin later, and changed by none', async () => {
    const { start, answerOf } = openEngine(new ProcessEngine(true))
    const code = `${large}const { getCompileCacheDir } = require('module')
      const fails = act => { try { act(); return null } catch (error) { return error.code } }
      exports.handler = () => {
        const folder = getCompileCacheDir() ?? null
        if (folder === null) return folder
        const fs = require('fs')
        const [file] = fs.readdirSync(folder)
        const at = folder + '/' + file
        return [folder.slice(0, 7), ...[() => fs.writeFileSync(at, ''), () => fs.unlinkSync(at), () => fs.chmodSync(at, 0o777)].map(fails)]
      }`
    const folder = packageOf({ 'index.js': code })
    expect(await answerOf(await start({}, { folder }))).toBeNull()
    const later = async () => answerOf(await start({}, { folder }))
    await expect.poll(later, { timeout: 20_000, interval: 200 }).toEqual(['/cache/', 'EROFS', 'EROFS', 'EROFS'])
  })
})

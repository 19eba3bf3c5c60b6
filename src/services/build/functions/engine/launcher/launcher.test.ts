import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryDataFolder } from '../../../../../testkit/data-folder.ts'
import type { Launch } from '../sandbox.ts'
import { type Launched, Launcher } from './launcher.ts'

const folder = temporaryDataFolder('launcher', os.tmpdir())
const launcher = new Launcher(folder)
afterAll(async () => {
  await launcher.close()
  rmSync(folder, { recursive: true })
})

const launchOf = (command: string, args: string[]): Launch => ({
  command,
  args,
  env: { PATH: process.env['PATH'] ?? '' },
  places: { home: '', runner: '', code: '', layers: '', doors: '', compiled: null },
})
const begin = (script: string) => launcher.begin(launchOf('sh', ['-c', script]))

async function heard({ socket }: Launched): Promise<string> {
  let text = ''
  for await (const part of socket) text += part
  return text
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('a process talks with the server over its third descriptor alone, and its end is told with its last words', async () => {
  const script = `const channel = new net.Socket({ fd: 3 })
    channel.on('data', heard => channel.end('heard ' + heard, () => { console.error('last words'); process.exit(7) }))`
  const launched = await launcher.begin(launchOf(process.execPath, ['-e', script]))
  launched.socket.write('hello\n')
  expect(await heard(launched)).toBe('heard hello\n')
  expect(await launched.ended).toMatchObject({ code: 7, signal: null, said: 'last words\n' })
})

it('a hundred begun at once each have their own connection', async () => {
  const all = await Promise.all(Array.from({ length: 100 }, (_, n) => begin(`echo ${n} >&3`)))
  expect(await Promise.all(all.map(heard))).toEqual(all.map((_one, n) => `${n}\n`))
})

it('one that ends at once has begun all the same, whichever of both is heard of first', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => begin('exit 3')))
  for (const { ended } of all) expect(await ended).toMatchObject({ code: 3 })
})

it('nothing of the environment of the server is in it', async () => {
  process.env['LOGGIA_TEST_KEY'] = 'a key'
  const launched = await begin('env >&3; tr "\\0" "\\n" < /proc/$PPID/environ >&3')
  expect(await heard(launched)).not.toContain('a key')
  delete process.env['LOGGIA_TEST_KEY']
})

it('each is a session of its own: no terminal is within reach, and its turn for a processor is not the server’s', async () => {
  const all = await Promise.all([1, 2].map(() => begin('exec sleep 60')))
  const sessions = all.map(({ pid }) =>
    Number(/\) \S \d+ \d+ (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]),
  )
  expect(sessions).toEqual(all.map(one => one.pid))
  for (const one of all) one.kill()
})

it('a program that is not there is told as such', async () => {
  await expect(launcher.begin(launchOf('/no/such/program', []))).rejects.toThrow('ENOENT')
})

it('a process that is killed is gone, and its socket is closed', async () => {
  const launched = await begin('exec sleep 60')
  launched.kill()
  expect(await launched.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  expect(await heard(launched)).toBe('')
})

it('when the launcher is killed, what it began is told as ended, and the next one begins by another', async () => {
  const launched = await begin('exec sleep 5')
  const before = launcher.pid ?? 0
  process.kill(before, 'SIGKILL')
  expect(await launched.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await heard(await begin('echo again >&3'))).toBe('again\n')
  expect(launcher.pid).not.toBe(before)
})

it('what it began ends with it', async () => {
  const own = new Launcher(mkdtempSync(path.join(folder, 'own-')))
  const { pid, ended } = await own.begin(launchOf('sleep', ['60']))
  expect(isThere(pid)).toBe(true)
  await own.close()
  await ended
  expect(isThere(pid)).toBe(false)
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { service } from '../kernel/contract.ts'
import { shape } from '../kernel/shape.ts'
import { client } from './client.ts'
import { leaveDemo } from './demo.ts'
import { watchMode } from './document-mode.ts'
import { stored } from './stored.ts'

const api = client(
  service({
    name: 'ground/notes',
    prefix: '/notes',
    zone: 'home',
    permissions: [],
    errors: {},
    calls: {
      readNote: { method: 'GET', path: '/one', who: 'cp', may: 'none', summary: 'Reads a note', answer: shape({}) },
    },
  }),
)

let sent: string[]
let heard: (() => void)[]
let reloads: number
let end: () => void
/** An address as the browser has it; a reload takes effect only later, as it does there. */
function open(hash: string) {
  const place = { hash, pathname: '/en/', href: `https://loggia.example/en/${hash}`, reload: () => reloads++ }
  const go = (next: string) => Object.assign(place, { hash: next, href: `https://loggia.example/en/${next}` })
  vi.stubGlobal('location', place)
  vi.stubGlobal('history', { replaceState: (_state: unknown, _title: string, next: string) => go(next) })
  end = watchMode()
  return go
}

beforeEach(() => {
  sent = []
  heard = []
  reloads = 0
  const kept = new Map<string, string>()
  vi.stubGlobal('addEventListener', (_type: string, listener: () => void) => heard.push(listener))
  vi.stubGlobal('removeEventListener', (_type: string, listener: () => void) =>
    heard.splice(heard.indexOf(listener), 1),
  )
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  })
  vi.stubGlobal('fetch', async (path: string) => {
    sent.push(path)
    return Response.json({ ret: { code: 0, msg: 'success' } })
  })
  stored.set('demoProject', { productId: '3', teamId: '7' })
})
afterEach(() => {
  end()
  expect(heard).toEqual([])
  vi.unstubAllGlobals()
})

const isAnswered = (asked: Promise<unknown>) =>
  Promise.race([asked.then(() => true), new Promise<boolean>(done => setTimeout(() => done(false), 20))])

it('leaving the demo asks nothing more of the server while the page is loaded anew', async () => {
  open('#/demoProject/projects')
  expect(await isAnswered(api.readNote({}))).toBe(true)
  leaveDemo()
  expect([location.hash, reloads]).toEqual(['#/sign-in', 1])
  expect(await isAnswered(api.readNote({}))).toBe(false)
  expect(sent).toHaveLength(1)
})

it.each([
  ['into the demo', '#/sign-in', '#/demoProject/apps'],
  ['from a session to an open test', '#/projects', '#/app/openTest?zone=CN&token=1'],
  ['from an open test to a session', '#/app/openTest?zone=CN&token=1', '#/app/overview?appId=1'],
])('an address that goes %s begins anew before anything is asked as another', async (_name, from, to) => {
  const go = open(from)
  go(to)
  expect(await isAnswered(api.readNote({}))).toBe(false)
  for (const listener of heard) listener()
  expect([sent, reloads]).toEqual([[], 1])
})

it('an address that stays in the demo, or outside of it, goes on as it was', async () => {
  const go = open('#/demoProject/apps')
  go('#/demoProject/projects')
  for (const listener of heard) listener()
  expect([await isAnswered(api.readNote({})), reloads]).toEqual([true, 0])
})

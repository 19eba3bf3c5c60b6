import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { service } from '../kernel/contract.ts'
import { shape, text } from '../kernel/shape.ts'
import { client } from './client.ts'
import { stored } from './stored.ts'

const notes = client(
  service({
    name: 'ground/notes',
    prefix: '/notes',
    zone: 'home',
    permissions: [],
    errors: {},
    calls: {
      readNote: {
        method: 'GET',
        path: '/one',
        who: 'cp',
        may: 'none',
        summary: 'Reads a note',
        answer: shape({ words: text(10) }),
      },
    },
  }),
)

/** What stands between the client and the network: requests as they would go out, and the answer to all of them. */
let sent: { path: string; headers: Record<string, string>; credentials: string | undefined }[]
let answer: () => Response
const ret = { code: 0, msg: 'success' }

beforeEach(() => {
  sent = []
  answer = () => Response.json({ ret, words: 'Hello' })
  const kept = new Map<string, string>()
  const userInfo = { mainUserId: '1', siteid: 1, csrftoken: 'c', expiretime: 9e15, expiretime_real: 9e15 }
  vi.stubGlobal('location', { hash: '#/notes', pathname: '/en/', href: 'https://loggia.example/en/#/notes' })
  vi.stubGlobal('document', { cookie: `developer_userinfo=${encodeURIComponent(JSON.stringify(userInfo))}` })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  })
  vi.stubGlobal('fetch', async (path: string, { headers, credentials }: RequestInit) => {
    sent.push({ path, headers: headers as Record<string, string>, credentials })
    return answer()
  })
  stored.set('x-teamId', '7')
})
afterEach(() => vi.unstubAllGlobals())

it.each([
  ['nothing', {}, { teamid: '7', 'x-hd-csrf': 'c', credentials: 'include' }],
  ['noTeamId', { noTeamId: true }, { teamid: undefined, 'x-hd-csrf': 'c', credentials: 'include' }],
  ['notAuth', { notAuth: true }, { teamid: undefined, 'x-hd-csrf': undefined, credentials: 'omit' }],
])(
  'with %s asked for, the team, the CSRF token and the credentials go along as they should',
  async (_name, options, expected) => {
    await notes.readNote({}, options)
    expect(sent.map(({ headers, credentials }) => ({ ...expected, ...pick(headers), credentials }))).toEqual([expected])
    expect(sent[0]?.headers['x-hd-lang']).toBe('en')
  },
)

const pick = ({ teamid, 'x-hd-csrf': csrf }: Record<string, string>) => ({ teamid, 'x-hd-csrf': csrf })

it('returnNewRsp keeps the ret of the answer, which is left out otherwise', async () => {
  expect(await notes.readNote({})).toEqual({ words: 'Hello' })
  expect(await notes.readNote({}, { returnNewRsp: true })).toEqual({ words: 'Hello', ret })
})

it('notRefresh passes a token-invalid 401 to the caller without a refresh', async () => {
  answer = () => Response.json({ ret: { code: 200000003, msg: 'accessToken invalid' } }, { status: 401 })
  await expect(notes.readNote({}, { notRefresh: true })).rejects.toMatchObject({ status: 401, number: 200000003 })
  expect(sent.map(one => one.path)).toEqual(['/notes/one'])
})

it('a call that takes longer than its time limit is given up as timed out', async () => {
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason))),
  )
  await expect(notes.readNote({}, { timeoutMs: 5 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadJsonp, loadOrGet, type ScriptPage } from './jsonp.ts'

interface Loaded {
  address: string
  done: (isLoaded: boolean) => void
  isThere: boolean
}

function openPage(get: ScriptPage['get'] = async () => true) {
  const scripts: Loaded[] = []
  const gets: string[] = []
  const page: ScriptPage = {
    origin: 'https://console.example',
    globals: {},
    load: (address, done) => {
      const script = { address, done, isThere: true }
      scripts.push(script)
      return {
        remove: () => {
          script.isThere = false
        },
      }
    },
    get: address => {
      gets.push(address)
      return get(address)
    },
  }
  const last = () => scripts.at(-1) as Loaded
  const callbackOf = (script: Loaded) => new URL(script.address).searchParams.get('callback') ?? ''
  const answer = (value: unknown) => {
    ;(page.globals[callbackOf(last())] as (value: unknown) => void)(value)
    last().done(true)
  }
  return { page, gets, last, answer }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the JSONP loader', () => {
  it('gives what the callback got, and cleans up', async () => {
    const { page, last, answer } = openPage()
    const loading = loadJsonp('/webv1?data=1', page)
    expect(last().address).toMatch(/^https:\/\/console\.example\/webv1\?data=1&callback=loggiaJsonp\d+&_=\d+$/)
    answer({ ret: { code: 0 } })
    expect(await loading).toEqual({ ret: { code: 0 } })
    expect([last().isThere, Object.keys(page.globals)]).toEqual([false, []])
  })

  it('rejects with exactly "crossDomain error" on a load failure, and cleans up', async () => {
    const { page, last } = openPage()
    const loading = loadJsonp('/webv1', page)
    last().done(false)
    await expect(loading).rejects.toThrow(/^crossDomain error$/)
    expect([last().isThere, Object.keys(page.globals)]).toEqual([false, []])
  })

  it('times out, and cleans up', async () => {
    const { page, last } = openPage()
    const loading = loadJsonp('/webv1', page, { timeoutMs: 1_000 })
    const outcome = expect(loading).rejects.toThrow('timeout')
    await vi.advanceTimersByTimeAsync(1_000)
    await outcome
    expect([last().isThere, Object.keys(page.globals)]).toEqual([false, []])
  })

  it('ends when a script comes that does not call back', async () => {
    const { page, last } = openPage()
    const loading = loadJsonp('/webv1', page)
    last().done(true)
    await expect(loading).rejects.toThrow('did not call back')
  })

  it.each(['https://evil.example/x.js', '//evil.example/x.js', 'javascript:alert(1)', 'data:text/javascript,1'])(
    'loads nothing of a stranger: %s',
    async address => {
      const { page, last } = openPage()
      await expect(loadJsonp(address, page)).rejects.toThrow('may not run here')
      expect(last()).toBeUndefined()
    },
  )

  it('loads of an origin that is configured', async () => {
    const { page, answer } = openPage()
    const loading = loadJsonp('https://eu.example/webv1', page, { allowed: ['https://eu.example'] })
    answer(1)
    expect(await loading).toBe(1)
  })
})

describe('the fallback', () => {
  it('is a plain GET of the same address after "crossDomain error"', async () => {
    const { page, last, gets } = openPage()
    const loading = loadOrGet('/webv1?data=1', page)
    last().done(false)
    expect(await loading).toBe(true)
    expect(gets).toEqual(['/webv1?data=1'])
  })

  it('throws nothing when the GET fails too', async () => {
    const { page, last } = openPage(() => Promise.reject(new Error('offline')))
    const loading = loadOrGet('/webv1', page)
    last().done(false)
    expect(await loading).toBe(false)
  })

  it('is not asked where the script came', async () => {
    const { page, answer, gets } = openPage()
    const loading = loadOrGet('/webv1', page)
    answer(1)
    expect([await loading, gets]).toEqual([true, []])
  })
})

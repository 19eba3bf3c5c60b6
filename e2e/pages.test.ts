import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../src/kernel/language.ts'
import { type Face, hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until } from './loggia.ts'
import { makePlaces, type Places } from './places.ts'
import { untranslated } from './texts.ts'

let loggia: Loggia
beforeAll(async () => {
  loggia = await Loggia.start({ LOGGIA_OUTBOUND_ALLOW: '127.0.0.1' })
})
afterAll(() => loggia.close())

it.each(['br', 'gzip'])('the console is sent as %s to whoever takes it', async encoding => {
  const ask = (place: string) => fetch(new URL(place, loggia.url), { headers: { 'accept-encoding': encoding } })
  const page = await ask('/en/')
  const script = /src="\.?\/?(?:\.\.\/)?([^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
  for (const reply of [page, await ask(`/${script}`)]) {
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-encoding')).toBe(encoding)
    expect(reply.headers.get('vary')).toContain('accept-encoding')
  }
})

describe.skipIf(!hasBrowser)(hasBrowser ? 'every page' : 'every page (skipped: apt-get install chromium)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-pages-'))
  let places: Places
  beforeAll(async () => {
    places = await makePlaces(loggia, folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /**
   * Goes on within the loaded console, as people do. Where the next page may keep the heading of the one before, or
   * nothing is loaded yet, it is a new document: the number in the search makes it one.
   */
  let visits = 0
  async function visit({ page }: Look, place: string, before: string | undefined, quiet: () => Promise<unknown>) {
    visits += 1
    if (before === undefined || kindOf(place) === kindOf(before)) {
      await page.goto(`${loggia.url}/?visit=${visits}#${place}`)
    } else {
      await page.evaluate(`document.querySelector('h1')?.setAttribute('data-left', '')`)
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    }
    await page.locator('#page h1:not([data-left]), .sign-in h1:not([data-left])').first().waitFor()
    await whole(page, quiet)
  }

  /** While the texts of a language or a part of the page are fetched, the page is hidden and there is nothing to check. */
  async function whole(page: Page, quiet: () => Promise<unknown>): Promise<void> {
    await quiet()
    await page.locator('.lg-pending').waitFor({ state: 'detached' })
    await page.locator('#page h1, .sign-in h1').first().waitFor()
  }

  /** Pages of one kind differ by ids and by what comes after the question mark only. */
  const kindOf = (place: string) => (place.split('?')[0] ?? '').replace(/\d{6,}/g, 'id')

  /** The same places with those of one kind apart, so that most are reached within the loaded console: round after round, one of each kind. */
  function apart(list: readonly string[]): string[] {
    const rounds = new Map<string, number>()
    const roundOf = (place: string) => {
      const round = (rounds.get(kindOf(place)) ?? 0) + 1
      rounds.set(kindOf(place), round)
      return round
    }
    return list
      .map(place => ({ place, round: roundOf(place) }))
      .sort((a, b) => a.round - b.round)
      .map(one => one.place)
  }

  /** On a wide screen the side menu stays, however often the window was narrow in between. */
  async function checkMenu({ page }: Look): Promise<void> {
    const isSignedIn = (await page.locator('#top-bar').count()) > 0
    if (isSignedIn)
      await page.locator('nav ul a[href^="#/"]').filter({ visible: true }).first().waitFor({ timeout: 5_000 })
  }

  /**
   * One load of the page, looked at in each language and face: what is open on a screen may be turned, darkened and read
   * in another language at any time. Each language loads a third of the pages.
   */
  async function inspect(
    look: Look,
    [place, before]: [string, string | undefined],
    begun: number,
    quiet: () => Promise<unknown>,
  ): Promise<string[]> {
    const faults: string[] = []
    for (const [at, face] of facesFrom(begun).entries()) {
      const name = `${face.width}-${face.language}-${face.isDark ? 'dark' : 'light'}`
      const note = (error: unknown) => faults.push(`${name} ${place}: ${(error as Error).message}`)
      await look.wear(face)
      if (at === 0) await visit(look, place, before, quiet)
      await look.speak(face.language)
      await whole(look.page, quiet)
      await look.checkClean().catch(note)
      if (face.checked) await look.checkAccess(face.checked).catch(note)
      if (face.width === wide.width) await checkMenu(look).catch(note)
      for (const line of await untranslated(look.page, face.language)) faults.push(`${name} ${place}: ${line}`)
      if (process.env['LOGGIA_SHOTS']) await look.shot(`${name}${place.replace(/\W+/g, '-')}`)
    }
    return faults
  }

  /** Wide in each language, then narrow in each; the next page begins in the language in which this one ends. */
  function facesFrom(begun: number): Inspected[] {
    const from = (start: number) => [0, 1, 2].map(at => sights[(begun + start + at) % 3] as (typeof sights)[number])
    return [...from(0).map(([wide]) => wide), ...from(2).map(([, narrow]) => narrow)]
  }

  async function inspectAll(look: Look, list: readonly string[]): Promise<string[]> {
    const faults: string[] = []
    const quiet = quietOf(look.page)
    const order = apart(list)
    for (const [at, place] of order.entries()) {
      faults.push(...(await inspect(look, [place, order[at - 1]], at, quiet)))
    }
    return faults
  }

  async function signIn(look: Look, who: 'administrator' | 'reviewer'): Promise<void> {
    await look.loseSession()
    await look.signInAs(...loggia.accountOf(who))
  }

  interface Inspected extends Face {
    language: Language
    checked?: 'all' | 'colours'
  }

  const wide = { width: 1440, height: 900 }
  const narrow = { width: 390, height: 844 }
  /** How each language is looked at; axe where it can find something else. */
  const sights: readonly (readonly [Inspected, Inspected])[] = [
    [
      { language: 'en', ...wide, isDark: false, checked: 'all' },
      { language: 'en', ...narrow, isDark: false },
    ],
    [
      { language: 'ru', ...wide, isDark: true, checked: 'colours' },
      { language: 'ru', ...narrow, isDark: true },
    ],
    [
      { language: 'zh', ...wide, isDark: true },
      { language: 'zh', ...narrow, isDark: false, checked: 'all' },
    ],
  ]

  /** Three walk at a time: while one waits for an answer the others are drawn. */
  const walks: [string, (look: Look) => Promise<string[]>][] = [
    [
      'of visitors and reviewers',
      async look => {
        const seen = await inspectAll(look, places.visitor)
        await signIn(look, 'reviewer')
        return [...seen, ...(await inspectAll(look, places.reviewer))]
      },
    ],
    ...[0, 1].map((half): [string, (look: Look) => Promise<string[]>] => [
      `of developers, every other one from the ${half === 0 ? 'first' : 'second'}`,
      async look => {
        await signIn(look, 'administrator')
        return inspectAll(
          look,
          apart(places.developer).filter((_, at) => at % 2 === half),
        )
      },
    ]),
  ]

  it.concurrent.each(walks)('is whole, quiet and in one language %s', { timeout: 2_400_000 }, async (_name, walk) => {
    const look = await startLook({ origin: loggia.url, ...wide })
    const faults = await walk(look).finally(() => look.close())
    expect(faults).toEqual([])
  })

  it('a table opens its settings at the first press and keeps them', async () => {
    const look = await startLook({ origin: loggia.url, ...wide })
    await signIn(look, 'administrator')
    await look.open('/apps')
    const column = look.page.getByRole('columnheader').last()
    const name = (await column.textContent()) ?? ''
    await look.page.getByRole('button', { name: 'Table settings' }).first().click()
    const dialog = look.page.getByRole('dialog').filter({ visible: true })
    await dialog.getByLabel(name, { exact: true }).click()
    await look.checkAccess()
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
    await look.open('/apps')
    const headers = await look.page.getByRole('columnheader').allTextContents()
    await look.close()
    expect(headers).not.toContain(name)
  })
})

/** What a page reports of its use comes when it likes, and nothing on the page waits for it. */
const isReport = (request: Request) => /\/hianalytics\/|\/clues\//.test(request.url())

/** Resolves when nothing was asked of the server for a moment; `networkidle` would wait half a second on every page. */
function quietOf(page: Page): () => Promise<unknown> {
  const open = new Set<Request>()
  let changedAt = 0
  const begin = (request: Request) => {
    if (isReport(request)) return
    open.add(request)
    changedAt = performance.now()
  }
  const end = (request: Request) => {
    if (isReport(request)) return
    open.delete(request)
    changedAt = performance.now()
  }
  page.on('request', begin)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const isQuiet = async () => open.size === 0 && performance.now() - changedAt > 150
  return () => until('a quiet page', isQuiet, 60, 20)
}

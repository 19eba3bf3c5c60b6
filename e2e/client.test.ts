import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia } from './loggia.ts'
import { draftRelease } from './releases.ts'

const title = 'the shared client'

describe.skipIf(!hasBrowser)(hasBrowser ? title : `${title} (skipped: apt-get install chromium)`, () => {
  let loggia: Loggia
  let look: Look
  beforeAll(async () => {
    loggia = await Loggia.start()
  })
  afterAll(() => loggia?.close())
  beforeEach(async () => {
    look = await startLook({ origin: loggia.url, expectedErrors: /400|502/ })
    await look.signInAs(...loggia.accountOf('administrator'))
  })
  afterEach(() => look?.close())

  const addFavourite = () =>
    look.page
      .getByRole('button', { name: /^Add .* to favourites$/ })
      .first()
      .click()
  const refuseFavourites = (status: number, ret: { code: number; msg: string }) =>
    look.page.route('**/sfs/**', route =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status, json: { ret } }),
    )
  const errorBoxes = () => look.page.locator('#page, main').getByText('A second look is needed')

  it('shows the server’s message of a 400 with ret code 205524998 in a risk dialog, and no error box', async () => {
    await look.open('/services')
    await refuseFavourites(400, { code: 205524998, msg: 'A second look is needed <b>now</b>' })
    await addFavourite()
    const dialog = look.page.getByRole('dialog')
    await dialog.getByText('A second look is needed <b>now</b>').waitFor()
    expect(await errorBoxes().count()).toBe(0)
    await look.checkAccess()
    await dialog.getByRole('button').last().click()
    await dialog.waitFor({ state: 'detached' })
    expect(await errorBoxes().count()).toBe(0)
  })

  it('shows the risk dialog in the embedded face too, above the question that was open', async () => {
    const { appId } = await draftRelease(await loggia.signIn('administrator'), 'Ferry', 'NO_PACKAGE')
    await look.wear({ width: 390, height: 844, isDark: false })
    await look.page.goto(`${loggia.url}/?appId=${appId}#/app/overview`)
    await look.page.locator('.embedded-card [data-action="submit"]').click()
    const ret = { code: 205524998, msg: 'A second look is needed' }
    await look.page.route('**/amis/**', route =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 400, json: { ret } }),
    )
    await look.page.locator('.embedded-dialog .embedded-button').click()
    const dialog = look.page.locator('[role="dialog"]')
    await dialog.getByText('A second look is needed').waitFor()
    expect(await look.page.getByText('A second look is needed').count()).toBe(1)
    expect(await look.page.locator('dialog[open]').count()).toBe(0)
    await dialog.getByRole('button').last().click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('shows any other refusal in the error box, with its sentence', async () => {
    await look.open('/services')
    await refuseFavourites(400, { code: 209999999, msg: 'A second look is needed' })
    await addFavourite()
    await look.page.getByText('A second look is needed').first().waitFor()
    expect(await look.page.getByRole('dialog').filter({ visible: true }).count()).toBe(0)
  })

  it('takes ret.code 0 for success, and logs a non-zero ret code on HTTP 200', async () => {
    const logged: string[] = []
    look.page.on('console', message => message.type() === 'warning' && logged.push(message.text()))
    await look.open('/projects')
    expect(logged).toEqual([])
    await look.page.route('**/projectList*', async route => {
      const reply = await route.fetch()
      const answer = (await reply.json()) as object
      await route.fulfill({
        response: reply,
        json: { ...answer, ret: { code: 204280009, msg: 'one part is missing' } },
      })
    })
    await look.open('/projects')
    await expect
      .poll(() => logged.some(text => text.includes('204280009: one part is missing')), { timeout: 30_000 })
      .toBe(true)
  })

  it('carries the CSRF header, the team id header, and zh for Chinese or en otherwise as the language', async () => {
    const sent = async (path: string) => {
      const asked = look.page.waitForRequest(request => request.url().includes('/projectList'))
      await look.page.goto(`${loggia.url}${path}#/projects`)
      await look.page.reload()
      const headers = await (await asked).allHeaders()
      return { language: headers['x-hd-lang'], csrf: headers['x-hd-csrf'], team: headers['teamid'] }
    }
    const languages = []
    for (const path of ['/en/', '/ru/']) languages.push((await sent(path)).language)
    await look.page.evaluate(`localStorage.setItem('loggia.language', 'zh')`)
    await look.context.addInitScript(`localStorage.setItem('loggia.language', 'zh')`)
    const chinese = await sent('/')
    expect([...languages, chinese.language]).toEqual(['en', 'en', 'zh'])
    expect([chinese.csrf?.length, chinese.team]).toEqual([expect.any(Number), expect.stringMatching(/^[1-9]\d+$/)])
  })
})

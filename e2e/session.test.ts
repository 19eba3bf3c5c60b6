import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until } from './loggia.ts'

const hour = 3_600_000

/** What the readable half of the session says, changed as time would have. */
const hint = (change: string) => `{
  const raw = document.cookie.split('; ').find(pair => pair.startsWith('developer_userinfo=')).slice(19)
  const info = JSON.parse(decodeURIComponent(raw))
  document.cookie = 'developer_userinfo=' + encodeURIComponent(JSON.stringify({ ...info, ${change} })) + '; path=/'
}`
const runOut = hint('expiretime: Date.now() - 1000')
const wake = `document.dispatchEvent(new Event('visibilitychange'))`

describe.skipIf(!hasBrowser)(hasBrowser ? 'a session' : 'a session (skipped: apt-get install chromium)', () => {
  let loggia: Loggia
  let look: Look
  beforeAll(async () => {
    loggia = await Loggia.start()
  })
  afterAll(() => loggia?.close())

  const signIn = () => {
    return look.signInAs(...loggia.accountOf('administrator'))
  }
  const isOut = () => look.page.locator('#account').waitFor()
  const countOf = (path: string, pages = [look.page]) => {
    const seen: string[] = []
    for (const page of pages) page.on('request', one => one.url().endsWith(path) && seen.push(one.url()))
    return seen
  }
  beforeEach(async () => {
    look = await startLook({ origin: loggia.url, expectedErrors: /400|401|403|ERR_INTERNET_DISCONNECTED/ })
    await signIn()
    return () => look.close()
  })

  it('is refreshed once over all tabs when the soft expiry has passed', async () => {
    const second = await look.context.newPage()
    await second.goto(`${loggia.url}/#/projects`)
    await second.locator('#page h1').waitFor()
    const refreshes = countOf('/oauth2/v1/refresh', [look.page, second])
    await look.page.evaluate(runOut)
    await Promise.all([look.page, second].map(page => page.evaluate(wake)))
    await until('a refresh', async () => refreshes.length > 0)
    await Promise.all([look.page, second].map(page => page.waitForLoadState('networkidle')))
    expect(refreshes).toHaveLength(1)
    await look.open('/projects')
    expect(await look.page.locator('#top-bar').count()).toBe(1)
  })

  it('names a refused field as the page does, and says of no other one what passwords need', async () => {
    const field = { in: 'body', pointer: '/email', rule: 'maxLength', limit: 64, message: 'is too long' }
    const ret = { code: 200000001, msg: 'refused' }
    await look.page.route('**/sign-up', route => route.fulfill({ status: 400, json: { ret, fields: [field] } }))
    await look.loseSession()
    await look.open('/sign-up')
    await look.speak('ru')
    await look.page.locator('#email').fill('somebody@example.com')
    await look.page.locator('.sign-in-go').click()
    await look.page
      .getByRole('alert')
      .getByText(/^Адрес почты: .*64/)
      .waitFor()
  })

  it('is refreshed for a token-invalid 401, and the call is tried once more', async () => {
    let refused = 0
    await look.page.route('**/projectList*', async route => {
      if (refused > 0) return route.continue()
      refused += 1
      const ret = { code: 200000003, msg: 'accessToken invalid' }
      return route.fulfill({ status: 401, json: { ret } })
    })
    const refreshes = countOf('/oauth2/v1/refresh')
    const asked = look.page.waitForResponse(one => one.url().includes('/projectList') && one.status() === 200)
    await look.open('/projects')
    await asked
    expect([refused, refreshes.length]).toEqual([1, 1])
  })

  it('ends when the refresh fails, and the page comes back after sign-in', async () => {
    await look.open('/team/members')
    await look.context.clearCookies({ name: /agc_sid$/ })
    await look.page.evaluate(runOut)
    await look.page.evaluate(wake)
    await isOut()
    await look.page.getByText('You were signed out').waitFor()
    await look.page.reload()
    await isOut()
    expect(await look.page.getByText('You were signed out').count()).toBe(0)
    await signIn()
    await look.page.waitForURL(/#\/team\/members$/)
  })

  it('is asked for where a page needs it, tells who came, and leads home where no page was asked for', async () => {
    await look.loseSession()
    await look.page.goto(`${loggia.url}/en/`)
    await isOut()
    await signIn()
    await look.page.locator('#page h1').waitFor()
    expect(new URL(look.page.url()).hash).toMatch(/^#\/(?:home.*)?$/)
    const { loginName = '' } = loggia.signIns()['administrator'] ?? {}
    expect(await look.page.locator('#top-bar').getByText(loginName).count()).toBeGreaterThan(0)
    expect(await look.page.evaluate(`sessionStorage.getItem('loginNeeded')`)).toBeNull()
  })

  it('of a laptop that slept past the hard expiry asks to sign in', async () => {
    await look.page.evaluate(hint(`expiretime: Date.now() - ${12 * hour}, expiretime_real: Date.now() - ${hour}`))
    await look.page.evaluate(wake)
    await isOut()
  })

  it('goes on when the clock of the laptop is a day off', async () => {
    for (const days of [1, -1]) {
      const other = await startLook({ origin: loggia.url, expectedErrors: /401/ })
      await other.page.clock.setSystemTime(Date.now() + days * 24 * hour)
      await other.signInAs(...loggia.accountOf('administrator'))
      await other.open('/projects')
      await other.page.evaluate(wake)
      await other.page.waitForLoadState('networkidle')
      expect(await other.page.locator('#top-bar').count()).toBe(1)
      await other.close()
    }
  })

  it('has its page reloaded when the first request is over six hours ago', async () => {
    await look.page.clock.install()
    await look.open('/projects')
    await look.page.evaluate('document.body.dataset.kept = ""')
    await look.page.evaluate(`location.hash = '#/apps'`)
    await look.page.locator('#page h1', { hasText: 'Apps' }).waitFor()
    expect(await look.page.evaluate('document.body.dataset.kept')).toBe('')
    await look.page.clock.setSystemTime(Date.now() + 6 * hour + 60_000)
    const reloaded = look.page.waitForEvent('load')
    await look.page.evaluate(`location.hash = '#/projects'`)
    await reloaded
  })

  it('is not logged out a second time within ten seconds', async () => {
    const leave = async () => {
      await look.page.getByRole('button', { name: 'administrator', exact: true }).click()
      await look.page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await leave()
    await isOut()
    await signIn()
    const logouts = countOf('/oauth2/v1/logout')
    await look.page.evaluate(`localStorage.setItem('loggia.logoutAt', String(Date.now()))`)
    await leave()
    expect([logouts.length, await look.page.locator('#top-bar').count()]).toEqual([0, 1])
    await look.page.evaluate(`localStorage.setItem('loggia.logoutAt', String(Date.now() - 10000))`)
    await leave()
    await isOut()
    expect(logouts).toHaveLength(1)
  })

  it('does not believe what is written into cookies and stored values', async () => {
    const forged = `{
      for (const [name, value] of Object.entries({ agc_uid: '1', agc_team_id: '1', agc_team_siteId: '7' }))
        document.cookie = name + '=' + value + '; path=/'
      document.cookie = 'developer_userinfo=%7Bbroken; path=/assets'
      sessionStorage.setItem('x-teamId', '"1"')
      sessionStorage.setItem('userPermission', '{"store.operate":"Y"}')
      sessionStorage.setItem('userRoles', 'not json')
    }`
    await look.page.evaluate(forged)
    await look.open('/projects')
    expect(await look.page.locator('#top-bar').getByText('First team').count()).toBeGreaterThan(0)
    await look.checkClean()
  })

  it('works through an offline minute: a page that could not be loaded comes when asked again', async () => {
    await look.open('/projects')
    await look.context.setOffline(true)
    await look.page.evaluate(`location.hash = '#/team/members'`)
    const again = look.page.getByRole('button', { name: 'Try again' }).first()
    await again.waitFor()
    await look.context.setOffline(false)
    await again.click()
    await look.page.locator('#page h1', { hasText: 'Members' }).waitFor()
  })
})

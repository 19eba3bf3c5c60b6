import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consents } from '../src/services/ground/agreements/consents/contract.ts'
import { menuOperations } from '../src/services/ground/menu/operations/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until, type Visitor } from './loggia.ts'

const script = 'https://stats.example.com/a.js'

describe.skipIf(!hasBrowser)(
  hasBrowser ? 'switches on pages' : 'switches on pages (skipped: apt-get install chromium)',
  () => {
    let loggia: Loggia
    let operator: Visitor
    let look: Look

    beforeAll(async () => {
      loggia = await Loggia.start({ LOGGIA_ANALYTICS_SCRIPT: script })
      operator = await loggia.signIn('administrator')
    })
    afterAll(() => loggia?.close())
    beforeEach(async () => {
      look = await startLook({ origin: loggia.url, expectedErrors: /ERR_FAILED/ })
    })
    afterEach(() => look?.close())

    const flip = async (feature: string, isOn: boolean) => {
      const { list } = await operator.ok(menuOperations, 'listSwitches', { query: { search: feature } })
      const revision = list.find(one => one.feature === feature)?.revision ?? 0
      const body = { feature, isOn, percent: 100, zones: [], groups: [], note: '', revision }
      await operator.ok(menuOperations, 'setSwitch', { body })
    }

    it('the sign-in page shows no password where its switch is off, but a small way in for staff', async () => {
      await flip('useAgcLoginSwitch', false)
      const { page } = look
      await page.goto(`${loggia.url}/#/sign-in`)
      const staff = page.locator('[data-action="staff"]')
      await staff.waitFor()
      expect(await page.locator('#password').count()).toBe(0)
      expect(await page.locator('[data-action="passkey"]').count()).toBe(0)
      await look.checkAccess()

      // Narrower than 600 pixels it is the other switch, which is on.
      await look.wear({ width: 599, height: 800, isDark: false })
      await page.locator('#password').waitFor()
      await look.wear({ width: 600, height: 800, isDark: false })
      await staff.click()
      const { loginName, password } = loggia.signIns()['administrator'] ?? { loginName: '', password: '' }
      await page.locator('#account').fill(loginName)
      await page.locator('#password').fill(password)
      await page.locator('.sign-in-go').click()
      await page.locator('.sign-in').waitFor({ state: 'detached' })
      await look.checkClean()
      await flip('useAgcLoginSwitch', true)
    })

    it('the script of the operator’s analytics is loaded once, by pages of people who agreed; a blocked one changes nothing', async () => {
      const { page, context } = look
      const asked: string[] = []
      const thrown: string[] = []
      let isBlocked = false
      page.on('pageerror', error => thrown.push(error.message))
      await context.route(script, route => {
        asked.push(route.request().url())
        return isBlocked
          ? route.abort()
          : route.fulfill({
              contentType: 'text/javascript',
              body: 'window.countedHere = (window.countedHere ?? 0) + 1',
            })
      })
      await look.signInAs(...loggia.accountOf('administrator'))
      const agree = (isAgree: boolean) =>
        operator.ok(consents, 'signConsents', { body: { consents: [{ purpose: 'ANALYTICS', isAgree }] } })
      const counted = () => page.evaluate('window.countedHere ?? 0')
      /** Reports begin three seconds after a page. */
      const passBegin = () => page.waitForTimeout(4_500)

      await flip('googleAnalyticsSwitch', true)
      await look.open('/apps')
      await passBegin()
      expect(asked).toEqual([])

      await agree(true)
      await look.open('/apps')
      await until('the script', async () => (await counted()) === 1)
      await page.evaluate("location.hash = '#/files'")
      await page.waitForTimeout(1_000)
      expect([await counted(), asked.length]).toEqual([1, 1])

      isBlocked = true
      await look.open('/apps')
      await until('the try', async () => asked.length === 2)
      await page.evaluate("location.hash = '#/files'")
      await page.locator('#page h1').first().waitFor()
      await page.waitForTimeout(500)
      expect([await counted(), asked.length, thrown]).toEqual([0, 2, []])

      await flip('googleAnalyticsSwitch', false)
      await look.open('/apps')
      await passBegin()
      expect(asked).toHaveLength(2)
      await agree(false)
    })
  },
)

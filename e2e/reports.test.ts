import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { teams } from '../src/services/ground/teams/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until } from './loggia.ts'

const zoneNames = ['cn', 'sg', 'de', 'ru', 'ir'] as const
const reports = /\/hianalytics\/webv1/

interface Row {
  name: string
  page: string
  page_name: string
  action: string | null
  person: string
  is_daily_person: boolean
  team_id: string | null
  said_team_id: string | null
  is_clock_fixed: boolean
  source_channel: string | null
}

describe.skipIf(!hasBrowser)(
  hasBrowser ? 'what pages report' : 'what pages report (skipped: apt-get install chromium)',
  () => {
    let loggia: Loggia
    let look: Look
    let asked: string[]
    const underWay = new Set<object>()

    beforeAll(async () => {
      loggia = await Loggia.start()
    })
    afterAll(() => loggia?.close())

    beforeEach(async () => {
      for (const zone of zoneNames) await loggia.sql(zone, 'TRUNCATE collect_events, clue_behaviors')
      look = await startLook({ origin: loggia.url, expectedErrors: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/ })
      await look.page.clock.install()
      asked = []
      underWay.clear()
      look.page.on('request', request => underWay.add(request))
      // Of a request that outlives its page Chromium tells the answer, but not always its end.
      look.page.on('response', answer => underWay.delete(answer.request()))
      look.page.on('requestfailed', request => underWay.delete(request))
      look.context.on('request', request => {
        if (request.url().includes('/hianalytics/')) asked.push(`${request.method()} ${request.resourceType()}`)
      })
      await look.signInAs(...loggia.accountOf('administrator'))
    })
    afterEach(async () => {
      await look?.checkClean()
      await look?.close()
    })

    const rowsOf = (zone: (typeof zoneNames)[number]) =>
      loggia.sql<Row>(zone, 'SELECT * FROM collect_events ORDER BY at')
    /** Past the start of the reports, and past the pause before a batch; never past the patience with an answer. */
    const passTime = async () => {
      for (let times = 0; times < 3; times++) {
        await look.page.clock.fastForward(6_000)
        await look.page.waitForTimeout(150)
        await until('the answers', async () => underWay.size === 0)
      }
    }
    const rowsWith = (zone: (typeof zoneNames)[number], is: (row: Row) => boolean) =>
      until('the report', async () => {
        await passTime()
        const rows = (await rowsOf(zone)).filter(is)
        return rows.length > 0 && rows
      })
    const press = () => look.page.locator('#page [data-action]').first().dispatchEvent('click')

    it('page and click events arrive in the database of their zone and never in another’s', async () => {
      await look.open('/apps')
      const [page] = await rowsWith('cn', row => row.page === '/apps')
      expect(page).toMatchObject({ name: 'page', page_name: 'consumer/en/service/josp/agc', is_daily_person: true })
      // The ticket proves the team; what the page merely says would not be kept as such.
      expect([page?.team_id, page?.said_team_id?.length]).toEqual([page?.said_team_id, page?.team_id?.length])
      expect(page?.person).toMatch(/^[0-9a-f]{16}$/)
      expect(await look.page.evaluate("localStorage.getItem('agc_did')")).toBeNull()
      await look.open('/support')
      await rowsWith('cn', row => row.page === '/support')
      await press()
      const [click] = await rowsWith('cn', row => row.name === 'click')
      expect(click).toMatchObject({ page: '/support', action: 'applyForSupport' })
      const before = (await rowsOf('cn')).length

      await look.open('/files?zone=DE')
      await rowsWith('de', row => row.page === '/files')
      expect((await rowsOf('cn')).slice(before).filter(row => row.page === '/files')).toEqual([])
      expect((await rowsOf('de')).filter(row => row.page !== '/files')).toEqual([])
      for (const zone of ['sg', 'ru', 'ir'] as const) expect(await rowsOf(zone)).toEqual([])
    })

    it('the page name has the language of the path, and the source of the first visit is kept', async () => {
      await look.page.goto(`${loggia.url}/ru/?sourceChannel=mail#/apps`)
      await look.page.locator('#page h1').first().waitFor()
      const [first] = await rowsWith('cn', row => row.page_name === 'consumer/ru/service/josp/agc')
      expect(first?.source_channel).toBe('mail')
      await look.page.goto(`${loggia.url}/ru/?sourceChannel=other#/files`)
      const [second] = await rowsWith('cn', row => row.page === '/files')
      expect(second?.source_channel).toBe('mail')
      expect(await rowsOf('ru')).toEqual([])
    })

    it('where the address is blocked a script takes the report, and a plain GET where that is blocked too', async () => {
      await look.page.route(reports, route => (route.request().method() === 'POST' ? route.abort() : route.continue()))
      await look.open('/apps')
      await rowsWith('cn', row => row.page === '/apps')
      expect(asked).toContain('GET script')

      await look.page.unroute(reports)
      await look.page.route(reports, route =>
        route.request().resourceType() === 'fetch' && route.request().method() === 'GET'
          ? route.continue()
          : route.abort(),
      )
      await look.open('/projects')
      await rowsWith('cn', row => row.page === '/projects')
      expect(await look.page.locator('#page h1').first().isVisible()).toBe(true)
    })

    it('an offline minute fails no page and loses no event', async () => {
      await look.open('/support')
      await rowsWith('cn', row => row.page === '/support')
      await look.context.setOffline(true)
      for (let times = 0; times < 5; times++) {
        await press()
        await look.page.clock.fastForward(13_000)
      }
      expect(await look.page.locator('#page h1').first().isVisible()).toBe(true)
      expect((await rowsOf('cn')).filter(row => row.name === 'click')).toEqual([])
      await look.context.setOffline(false)
      const clicks = await until('the clicks', async () => {
        await passTime()
        const found = (await rowsOf('cn')).filter(row => row.name === 'click')
        return found.length >= 5 && found
      })
      expect(clicks).toHaveLength(5)
    })

    it('a visit of a few seconds is handed over when its page ends', async () => {
      // What an earlier document asked for says nothing of this one.
      look.page.on('domcontentloaded', () => asked.splice(0))
      // On a slow machine the batch may be on its way before the clock stands; then the next visit tells.
      await until('a report handed over', async () => {
        await look.open('/apps')
        await look.page.clock.pauseAt(Number(await look.page.evaluate('Date.now()')) + 3_000)
        await until('the start of the reports', async () => asked.includes('GET fetch'))
        await look.page.waitForTimeout(1_000)
        await loggia.sql('cn', 'TRUNCATE collect_events')
        await look.page.goto('about:blank')
        await look.page.clock.resume()
        await look.page.waitForTimeout(1_000)
        return (await rowsOf('cn')).some(row => row.page === '/apps')
      })
    })

    it('nothing is sent in the open-test mode, not even what waited before', async () => {
      await look.open('/apps')
      await look.page.clock.fastForward(2_000)
      await look.page.waitForTimeout(500)
      asked.length = 0
      await look.page.evaluate("location.hash = '#/app/openTest'")
      await passTime()
      await look.page.goto('about:blank')
      expect(asked).toEqual([])
    })

    it('a clue is told once a session, and only where the team is in China', async () => {
      const clues = () =>
        loggia.sql<{ service_code: string; team_id: string }>('cn', 'SELECT service_code, team_id FROM clue_behaviors')
      const country = async (countryCode: string) => {
        const owner = await loggia.signIn('administrator')
        const { revision } = await owner.ok(teams, 'getTeam')
        await owner.ok(teams, 'updateTeamInfo', { body: { countryCode, revision } })
      }
      await country('DE')
      await look.open('/apps')
      await passTime()
      expect(await clues()).toEqual([])
      await country('CN')
      for (let times = 0; times < 2; times++) {
        await look.open('/apps')
        await passTime()
      }
      const found = await until('the clue', async () => (await clues()).length > 0 && clues())
      expect(found).toMatchObject([{ service_code: 'distribute/apps' }])
      const kept = await look.page.evaluate("sessionStorage.getItem('reportedClues')")
      expect(kept).toBe('["agc_service_browsing apps"]')
    })
  },
)

import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { HostPage } from './host-page.ts'
import { Loggia, until } from './loggia.ts'
import { rollOut } from './releases.ts'

const narrow = { width: 390, height: 844 }

describe.skipIf(!hasBrowser)(hasBrowser ? 'a mode' : 'a mode (skipped: apt-get install chromium)', () => {
  let loggia: Loggia
  let appId: string
  let host: HostPage
  let stranger: HostPage
  beforeAll(async () => {
    host = await HostPage.open()
    stranger = await HostPage.open()
    loggia = await Loggia.start({ LOGGIA_EMBED_ORIGINS: host.origin })
    const owner = await loggia.signIn('administrator')
    appId = (await rollOut(owner, await loggia.signIn('reviewer'))).appId
  })
  afterAll(async () => {
    await loggia?.close()
    await host?.close()
    await stranger?.close()
  })

  const signIn = (look: Look) => {
    return look.signInAs(...loggia.accountOf('administrator'))
  }
  const seen = async (options: Partial<Parameters<typeof startLook>[0]>, work: (look: Look) => Promise<void>) => {
    const look = await startLook({ origin: loggia.url, ...options })
    await work(look).finally(() => look.close())
  }
  /** Names of what requests of calls carry, while something is done. */
  async function carried({ page }: Look, work: () => Promise<unknown>): Promise<Set<string>> {
    // What the page before it asks is none of it.
    await page.goto('about:blank')
    const names = new Set<string>()
    const listen = async (request: { allHeaders(): Promise<Record<string, string>>; resourceType(): string }) => {
      if (request.resourceType() !== 'fetch') return
      for (const name of Object.keys(await request.allHeaders())) names.add(name)
    }
    page.on('request', listen)
    await work()
    await page.waitForLoadState('networkidle')
    page.off('request', listen)
    return names
  }

  it('a hash starting with #/app/ means embedded app mode, and the app id comes from the query', () =>
    seen(narrow, async look => {
      await signIn(look)
      await look.page.goto(`${loggia.url}/?appId=${appId}#/app/overview`)
      await look.page.locator('h1', { hasText: 'Ferry' }).waitFor()
      await look.page.locator('.embedded-versions li').first().waitFor()
      expect(await look.page.locator('#top-bar').count()).toBe(0)
      await look.checkAccess()
      await look.checkClean()
      if (process.env['LOGGIA_SHOTS']) await look.shot('embedded')
      await look.page.goto(`${loggia.url}/#/app/overview`)
      await look.page.getByText('names no app').waitFor()
    }))

  it('#/app/openTest disables credentials, the CSRF header and the team header', () =>
    seen({ ...narrow, expectedErrors: /404/ }, async look => {
      await signIn(look)
      const names = await carried(look, async () => {
        await look.page.goto(`${loggia.url}/#/app/openTest?zone=CN&token=u1-${'x'.repeat(43)}`)
        await look.page.getByText('There is nothing to test now').waitFor()
      })
      expect(names.has('x-hd-lang')).toBe(true)
      expect(['cookie', 'x-hd-csrf', 'teamid'].filter(name => names.has(name))).toEqual([])
      await look.checkAccess()
      if (process.env['LOGGIA_SHOTS']) await look.shot('open-test')
    }))

  it('an address containing #/demoProject shows the whole console over a project that nobody can change', () =>
    seen({ expectedErrors: /403/ }, async look => {
      await look.page.goto(`${loggia.url}/#/sign-in`)
      await look.page.getByRole('link', { name: 'Look around in a demo project' }).click()
      await look.page.getByText('You are looking around in a demo project').waitFor()
      const names = await carried(look, () => look.open('/demoProject/apps'))
      expect([names.has('productid'), names.has('cookie'), names.has('x-hd-csrf')]).toEqual([true, false, false])
      await look.page.getByRole('link', { name: 'Demo app' }).first().click()
      await look.page.locator('#page h1', { hasText: 'Demo app' }).waitFor()
      expect(new URL(look.page.url()).hash).toMatch(/^#\/demoProject\/apps\/\d+$/)
      await look.checkAccess()
      await look.open('/demoProject/projects')
      await look.page.getByRole('button', { name: 'Create project' }).first().click()
      const dialog = look.page.getByRole('dialog').filter({ visible: true })
      await dialog.getByLabel('Name').fill('Mine')
      await dialog.getByRole('button', { name: 'Create', exact: true }).click()
      const offer = look.page.getByRole('dialog', { name: 'The demo project is read-only' })
      await offer.getByRole('button', { name: 'Sign in' }).click()
      await look.page.locator('#account').waitFor()
      await look.checkClean()
    }))

  it('demo-project mode is left without a trace of it in a session', () =>
    seen({}, async look => {
      await look.open('/demoProject/projects')
      await look.page.evaluate('window.isOfDemo = true')
      await look.page.goto(`${loggia.url}/#/sign-in`)
      // Another mode is another document; what is typed before it has come would be gone.
      await look.page.waitForFunction('!window.isOfDemo')
      await signIn(look)
      await look.open('/projects')
      expect(await look.page.getByText('You are looking around in a demo project').count()).toBe(0)
      expect(await look.page.locator('#page').getByText('Demo project').count()).toBe(0)
    }))

  it.each(['hap', 'cis'])('an address containing %s/#/app skips session refresh', path =>
    seen(narrow, async look => {
      await signIn(look)
      const refreshes: string[] = []
      look.page.on('request', request => request.url().endsWith('/refresh') && refreshes.push(request.url()))
      const runOut = `{
        const [, raw] = document.cookie.match(/developer_userinfo=([^;]*)/)
        const info = { ...JSON.parse(decodeURIComponent(raw)), expiretime: Date.now() - 1000 }
        document.cookie = 'developer_userinfo=' + encodeURIComponent(JSON.stringify(info)) + '; path=/'
        document.dispatchEvent(new Event('visibilitychange'))
      }`
      await look.page.goto(`${loggia.url}/${path}/?appId=${appId}#/app/overview`)
      await look.page.locator('h1', { hasText: 'Ferry' }).waitFor()
      await look.page.evaluate(runOut)
      await look.page.waitForTimeout(1_000)
      expect(refreshes).toEqual([])
      await look.page.goto(`${loggia.url}/?appId=${appId}#/app/overview`)
      await look.page.locator('h1', { hasText: 'Ferry' }).waitFor()
      await look.page.evaluate(runOut)
      await until('a refresh', async () => refreshes.length === 1)
    }),
  )

  it('the page language is detected from a path containing /ru/ or /en/, otherwise it is Chinese', () =>
    seen({}, async look => {
      await look.context.addInitScript('localStorage.removeItem("loggia.language")')
      const lang = async (path: string) => {
        await look.page.goto(loggia.url + path)
        await look.page.locator('#account').waitFor()
        return look.page.evaluate('document.documentElement.lang')
      }
      expect([await lang('/ru/#/sign-in'), await lang('/en/#/sign-in'), await lang('/#/sign-in')]).toEqual([
        'ru-RU',
        'en-GB',
        'zh-CN',
      ])
    }))

  describe('a page of another origin', () => {
    const overview = () => `${loggia.url}/?appId=${appId}#/app/overview`
    const frameOf = (page: Page, origin: string) =>
      until('the frame', async () => page.frames().find(one => one.url().startsWith(origin)))
    const hashOf = (frame: Frame) => frame.evaluate('location.hash')
    const calls = (page: Page) => {
      const made: string[] = []
      page.on('request', request => request.url().startsWith(loggia.url) && made.push(new URL(request.url()).pathname))
      return made
    }

    it('that the operator allows holds the embedded face, hears what is shown and how high it is, and says what to do', () =>
      seen({ expectedErrors: /404/ }, async look => {
        const { page } = look
        await signIn(look)
        await page.goto(host.holding(overview()))
        const frame = await frameOf(page, loggia.url)
        await frame.locator('h1', { hasText: 'Ferry' }).waitFor()
        const shown = await until('pageShown', async () => {
          const heard = await host.heard(page)
          return heard.findLast(
            one => one.data.functionName === 'pageShown' && Number(one.data.params['heightPx']) > 300,
          )
        })
        expect(shown).toEqual({
          origin: loggia.url,
          data: { functionName: 'pageShown', params: { path: '/app/overview', heightPx: expect.any(Number) } },
        })
        await page.waitForLoadState('networkidle')

        const made = calls(page)
        await host.say(page, { functionName: 'reload', params: {} })
        await until('the app to be read anew', async () => made.some(path => path.endsWith('/app-manage/v1/app')))
        for (const params of [{ path: 'https://elsewhere.example/' }, { path: '/team' }, { path: 1 }, {}]) {
          await host.say(page, { functionName: 'openPage', params })
        }
        const path = `/app/openTest?zone=CN&token=u1-${'x'.repeat(43)}`
        await host.say(page, { functionName: 'openPage', params: { path } })
        await frame.getByText('There is nothing to test now').waitFor()
        expect(await hashOf(frame)).toBe(`#${path}`)
        await until('the page that is told', async () =>
          (await host.heard(page)).some(one => one.data.params['path'] === '/app/openTest'),
        )
      }))

    it('that is not allowed says nothing that is heard, and hears nothing', () =>
      seen({}, async look => {
        const { page } = look
        await signIn(look)
        await page.goto(host.holding(overview(), stranger.whispering()))
        const frame = await frameOf(page, loggia.url)
        await frame.locator('h1', { hasText: 'Ferry' }).waitFor()
        await page.waitForLoadState('networkidle')
        const whisperer = await frameOf(page, stranger.origin)
        const made = calls(page)
        const message = { functionName: 'openPage', params: { path: '/app/openTest' } }
        await whisperer.evaluate(`parent.frames[0].postMessage(${JSON.stringify(message)}, '*')`)
        await whisperer.evaluate(`parent.frames[0].postMessage({ functionName: 'reload' }, '*')`)
        // What the host says after it has an effect, so that what came before has had its time.
        await page.waitForTimeout(500)
        expect([await hashOf(frame), made]).toEqual(['#/app/overview', []])
        await host.say(page, { functionName: 'reload', params: {} })
        await until('the host to be heard', async () => made.length > 0)
        expect(await hashOf(frame)).toBe('#/app/overview')
        expect(await whisperer.evaluate('window.heard')).toEqual([])
      }))

    it('that is not allowed cannot hold the embedded face at all', () =>
      seen({ expectedErrors: /frame-ancestors|Framing/ }, async look => {
        const { page } = look
        await signIn(look)
        await page.goto(stranger.holding(overview()))
        await page.waitForLoadState('networkidle')
        const [held] = page.mainFrame().childFrames()
        expect([held?.url().startsWith('chrome-error:'), await held?.locator('#root').count()]).toEqual([true, 0])
        expect(await stranger.heard(page)).toEqual([])
      }))
  })
})

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Language } from '../src/kernel/language.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Without a browser the journeys are skipped, and the check says what to install. */
export const hasBrowser = existsSync(executablePath)

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const colourRules = ['color-contrast', 'link-in-text-block']

/** How a window stands. */
export interface Face {
  width: number
  height: number
  isDark: boolean
}

export interface LookOptions extends Partial<Face> {
  /** Where the console is served, `http://127.0.0.1:8080`. */
  origin: string
  language?: Language
  /** Console errors that belong to the journey, such as a refused sign-in. */
  expectedErrors?: RegExp
}

export interface Look {
  page: Page
  context: BrowserContext
  /** Goes to a hash route and waits until the page is quiet: `open('/apps')`. */
  open: (path: string) => Promise<void>
  signInAs: (account: string, password: string) => Promise<void>
  /** Leaves the page, so that nothing is under way, and then loses every cookie. */
  loseSession: () => Promise<void>
  /** Writes `data/shots/<name>.png` (or below `LOGGIA_SHOTS`) and gives its path. */
  shot: (name: string) => Promise<string>
  /** Turns the window: its size, and day or night. */
  wear: (face: Face) => Promise<void>
  /** Turns the language, as when it was chosen in another tab. */
  speak: (language: Language) => Promise<void>
  /** Throws when axe finds anything serious or critical; of a page that was only coloured anew, colours will do. */
  checkAccess: (of?: 'all' | 'colours') => Promise<void>
  /** Throws when the page logged an error, threw, asked a foreign host or scrolls sideways. */
  checkClean: () => Promise<void>
  close: () => Promise<void>
}

const answerMs = 10_000
let browser: Promise<Browser> | undefined

/** Ends the browser that all looks of a process share. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** Turning a window has no deadline of its own, and Chromium was seen to leave it unanswered with an idle page: it is asked again. */
async function answered(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const asked = ask().then(() => true)
    const late = new Promise<false>(resolve => setTimeout(() => resolve(false), answerMs).unref())
    if (await Promise.race([asked, late])) return
    asked.catch(() => undefined)
  }
  throw new Error('the window could not be turned: Chromium does not answer')
}

/** A new profile in Debian's Chromium; everything a journey needs to look and to be sure. */
export async function startLook(options: LookOptions): Promise<Look> {
  const { origin, width = 1440, height = 900, language = 'en', isDark = false, expectedErrors } = options
  browser ??= chromium.launch({ executablePath, headless: true, args: flags })
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  // A sandboxed frame has no storage, which is right.
  await context.addInitScript(`try { localStorage['loggia.language'] ??= '${language}' } catch {}`)
  const page = await context.newPage()
  const faults: string[] = []
  const isOurs = (address: string) => /^(?:data|blob|about):/.test(address) || new URL(address).origin === origin

  context.on('request', request => {
    if (!isOurs(request.url())) faults.push(`asked a foreign host: ${request.url()}`)
  })
  page.on('pageerror', error => faults.push(`threw: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' && !expectedErrors?.test(message.text()))
      faults.push(`logged: ${message.text()} ${message.location().url}`)
  })

  const quiet = async () => {
    await page.waitForLoadState('networkidle')
    await page.locator('.lg-pending').waitFor({ state: 'detached' })
  }

  /** The page learns of what was turned with the next frame and is drawn anew with the one after. */
  const frames = () => page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

  let worn: Face = { width, height, isDark }

  return {
    page,
    context,
    open: async path => {
      await page.goto(`${origin}/#${path}`)
      // Another hash is no new document, and what was read a moment ago would be shown again.
      await page.reload()
      await page.locator('#page h1').first().waitFor()
      await quiet()
    },
    signInAs: async (account, password) => {
      await page.goto(`${origin}/#/sign-in`)
      await page.locator('#account').fill(account)
      await page.locator('#password').fill(password)
      await page.locator('.sign-in-go').click()
      await page.locator('.sign-in').waitFor({ state: 'detached' })
      await page.locator('#page').waitFor()
      await quiet()
    },
    loseSession: async () => {
      await page.goto('about:blank')
      await context.clearCookies()
    },
    wear: async face => {
      const { width, height, isDark } = face
      const isTurned = width !== worn.width || height !== worn.height
      const isDimmed = isDark !== worn.isDark
      worn = face
      if (isTurned) await answered(() => page.setViewportSize({ width, height }))
      if (isDimmed) await answered(() => page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' }))
      if (isTurned || isDimmed) await answered(frames)
    },
    speak: async language => {
      if (await page.evaluate(`document.documentElement.lang.startsWith('${language}')`)) return
      await page.evaluate(`{
        localStorage['loggia.language'] = '${language}'
        dispatchEvent(new StorageEvent('storage', { key: 'loggia.language', newValue: '${language}' }))
      }`)
      await page.locator(`html[lang^="${language}"]`).waitFor({ state: 'attached' })
      await answered(frames)
    },
    shot: async name => {
      const shots = process.env['LOGGIA_SHOTS'] ?? 'data/shots'
      await mkdir(shots, { recursive: true })
      const path = join(shots, `${name}.png`)
      await page.screenshot({ path })
      return path
    },
    checkAccess: async (of = 'all') => {
      // Read once a document, not with each look.
      if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
      const options: axe.RunOptions = {
        resultTypes: ['violations'],
        // The one frame holds somebody's mail, not a page of ours.
        iframes: false,
        ...(of === 'colours' && { runOnly: { type: 'rule', values: colourRules } }),
      }
      const found = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)
      const { violations } = found as axe.AxeResults
      const grave = violations.filter(one => one.impact === 'serious' || one.impact === 'critical')
      if (grave.length === 0) return
      const lines = grave.map(one => `${one.id}: ${one.help}\n  ${one.nodes.map(node => node.html).join('\n  ')}`)
      throw new Error(`axe found ${grave.length} on ${page.url()}\n${lines.join('\n')}`)
    },
    checkClean: async () => {
      // Right after the window was turned a table may stand for a moment before its cards do.
      const beyond = async () => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      let sideways = await beyond()
      for (let looks = 0; sideways > 0 && looks < 30; looks++) {
        await page.waitForTimeout(100)
        sideways = await beyond()
      }
      if (sideways > 0) faults.push(`scrolls sideways by ${sideways} px`)
      if (faults.length > 0) throw new Error(`${page.url()}\n${faults.splice(0).join('\n')}`)
    },
    close: () => context.close(),
  }
}

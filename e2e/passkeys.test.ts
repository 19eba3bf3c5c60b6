import { generate } from 'otplib'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia } from './loggia.ts'

describe.skipIf(!hasBrowser)(hasBrowser ? 'a person' : 'a person (skipped: apt-get install chromium)', () => {
  let loggia: Loggia
  let look: Look
  let page: Page
  let cdp: CDPSession
  let authenticatorId = ''
  let password = ''

  beforeAll(async () => {
    loggia = await Loggia.start()
    look = await startLook({ origin: loggia.url, expectedErrors: /40[03]/ })
    page = look.page
    cdp = await look.context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2' as const,
      transport: 'internal' as const,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    }
    authenticatorId = (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
    password = loggia.signIns()['developer']?.password ?? ''
  })
  afterAll(async () => {
    await look?.close()
    await loggia?.close()
  })

  const signOut = () => look.loseSession()
  const action = (name: string) => page.locator(`[data-action="${name}"]`)
  /** Inside, with nothing under way that a sign-out would cut off. */
  const isInside = async () => {
    await page.locator('#top-bar').waitFor()
    await page.waitForLoadState('networkidle')
  }

  it('makes a passkey on the page of the profile', async () => {
    await look.signInAs('developer', password)
    await look.open('/security')
    await action('add-passkey').click()
    await action('remove-passkey').waitFor()
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
    await look.checkAccess()
  })

  it('signs in with the passkey alone', async () => {
    await signOut()
    await page.goto(`${loggia.url}/?visit=1#/sign-in`)
    await action('passkey').click()
    await isInside()
    const rows = await loggia.sql<{ method: string; has: boolean }>(
      'home',
      'SELECT method, has_second_factor AS has FROM sessions ORDER BY created_at DESC LIMIT 1',
    )
    expect(rows).toEqual([{ method: 'passkey', has: true }])
  })

  it('shows the passkey as second step after the password', async () => {
    await signOut()
    await page.goto(`${loggia.url}/?visit=2#/sign-in`)
    await page.locator('#account').fill('developer')
    await page.locator('#password').fill(password)
    await page.locator('.sign-in-go').click()
    await page.locator('#code').waitFor()
    await look.checkAccess()
    await action('passkey').click()
    await isInside()
  })

  it('is refused when the device did not verify who holds it', async () => {
    await signOut()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto(`${loggia.url}/?visit=3#/sign-in`)
    await action('passkey').click()
    await page.waitForTimeout(1000)
    expect(await page.locator('.sign-in').count()).toBe(1)
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  })

  it('proves again who they are, takes an authenticator app into use, and signs in with its code', async () => {
    await page.goto(`${loggia.url}/?visit=4#/sign-in`)
    await action('passkey').click()
    await isInside()
    await loggia.sql('home', 'UPDATE sessions SET authenticated_at = 0')
    await look.open('/security')
    await action('add-authenticator').click()
    await page.locator('input[name="proof"]').fill(password)
    await action('confirm').click()
    await page.locator('.session-qr').waitFor()
    await look.checkAccess()
    const secret = ((await page.locator('.session-secret').textContent()) ?? '').replaceAll(' ', '')
    await page.locator('input[name="code"]').fill(await generate({ secret }))
    await page.locator('form button[type="submit"]').last().click()
    await page.locator('.session-codes li').first().waitFor()
    expect(await page.locator('.session-codes li').count()).toBe(10)
    const recovery = (await page.locator('.session-codes code').first().textContent()) ?? ''
    await action('codes-kept').click()

    await signOut()
    await page.goto(`${loggia.url}/?visit=5#/sign-in`)
    await page.locator('#account').fill('developer')
    await page.locator('#password').fill(password)
    await page.locator('.sign-in-go').click()
    await page.locator('#code').fill('000000')
    await page.locator('.sign-in-go').click()
    await page.locator('.sign-in-error').waitFor()
    await page.locator('#code').fill(recovery)
    await page.locator('.sign-in-go').click()
    await isInside()
  })

  it('removes the passkey, and it opens nothing any more', async () => {
    await look.open('/security')
    await action('remove-passkey').click()
    await action('remove-passkey').waitFor({ state: 'detached' })
    await signOut()
    await page.goto(`${loggia.url}/?visit=6#/sign-in`)
    await action('passkey').click()
    await page.locator('.sign-in-error').waitFor()
    await look.checkClean()
  })

  it('loads the sign-in page without what passkeys need, in at most 300 kB', async () => {
    await signOut()
    const client = await look.context.newCDPSession(page)
    await client.send('Network.enable')
    await client.send('Network.setCacheDisabled', { cacheDisabled: true })
    let bytes = 0
    client.on('Network.loadingFinished', one => {
      bytes += one.encodedDataLength
    })
    await page.goto(`${loggia.url}/?visit=7#/sign-in`)
    await page.locator('.sign-in-go').waitFor()
    await page.waitForLoadState('networkidle')
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(300_000)
  })
})

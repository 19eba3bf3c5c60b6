import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { appUserDesk } from '../src/services/build/app-auth/user-desk/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { openAppOnDevice } from './app-device.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const password = 'Correct-horse-9'
const email = 'mira@example.com'

/** An app with a page of its own and an unmodified openid-client, which is all it knows of us. */
describe.skipIf(!hasBrowser)(
  hasBrowser ? 'the hosted page' : 'the hosted page (skipped: apt-get install chromium)',
  () => {
    let loggia: Loggia
    let developer: Visitor
    let look: Look
    let app: Server
    let appUrl: string
    let relying: openid.Configuration
    let uid: string

    beforeAll(async () => {
      loggia = await Loggia.start()
      developer = await loggia.signIn('developer')
      app = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end('<title>App</title>in'))
      await new Promise<void>(done => app.listen(0, '127.0.0.1', done))
      appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/back`
      const { projectId } = await developer.ok(projects, 'createProject', { body: { name: 'Hosted' } })
      const { clientId } = await openAppOnDevice(developer, projectId, 'Hosted')
      await developer.ok(authSettings, 'createMethod', { body: { projectId, provider: 12, enabled: true } })
      await developer.ok(authSettings, 'updateHost', {
        body: {
          ...{ projectId, enabled: true, appName: 'Harbour', logoUrl: '', color: '#8a1538', redirectUris: [appUrl] },
          ...{ supportMail: 'help@example.com', termsUrl: 'https://example.com/terms', privacyUrl: '' },
        },
      })
      const made = await developer.ok(appUserDesk, 'createUser', { body: { projectId, email, password } })
      uid = made.uid
      const issuer = new URL(`${loggia.url}/cn/app-auth`)
      const insecure = { execute: [openid.allowInsecureRequests] }
      relying = await openid.discovery(issuer, clientId, undefined, openid.None(), insecure)
      look = await startLook({ origin: loggia.url, expectedErrors: /40[03]/ })
    })
    afterAll(async () => {
      await look?.close()
      app?.closeAllConnections()
      app?.close()
      await loggia?.close()
    })

    const asking = async (ui_locales: string) => {
      const verifier = openid.randomPKCECodeVerifier()
      const state = openid.randomState()
      const url = openid.buildAuthorizationUrl(relying, {
        ...{ redirect_uri: appUrl, scope: 'openid', state, ui_locales, code_challenge_method: 'S256' },
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      })
      return { url, verifier, state }
    }

    it.each([
      ['en', { width: 1440, height: 900, isDark: false }],
      ['ru', { width: 390, height: 844, isDark: true }],
      ['zh', { width: 390, height: 844, isDark: false }],
    ] as const)('is read by everybody in %s', async (language, face) => {
      await look.wear(face)
      const { page } = look
      await page.goto((await asking(language)).url.href)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      for (const link of [1, 0]) {
        await look.shot(`hosted-${language}-${link}`)
        await look.checkAccess()
        await look.checkClean()
        await page.locator('nav a').nth(link).click()
      }
      await look.checkAccess()
      await look.checkClean()
    })

    it('leads somebody who signs in by keyboard to the app, which gets tokens for the code', async () => {
      await look.wear({ width: 1440, height: 900, isDark: false })
      const { page } = look
      const { url, verifier, state } = await asking('en')
      await page.goto(url.href)
      await page.locator('#name').focus()
      await page.keyboard.type(email)
      await page.keyboard.press('Tab')
      await page.keyboard.type('Wrong-horse-1')
      await page.keyboard.press('Enter')
      await page.locator('[role=alert]').waitFor()
      await look.checkAccess()
      expect(await page.locator('#name').inputValue()).toBe(email)
      await page.locator('#password').fill(password)
      await page.locator('button').click()
      await page.waitForURL(`${appUrl}?**`)
      expect(page.url()).not.toMatch(/token|eyJ/)
      const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true }
      const tokens = await openid.authorizationCodeGrant(relying, new URL(page.url()), checks)
      expect(tokens.claims()).toMatchObject({ sub: uid, email })
    })
  },
)

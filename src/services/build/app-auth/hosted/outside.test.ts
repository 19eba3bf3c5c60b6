import * as openid from 'openid-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { closeProviders, openProvider, secret, walkThere } from '../../../ground/session/providers/openid.testkit.ts'
import { type AppOnDevice, openApp } from '../app-auth.testkit.ts'
import { authSettings } from '../settings/contract.ts'
import { ask, Browser, openHosted, relyOn } from './hosted.testkit.ts'

let stage: Stage
let app: AppOnDevice
let issuer: string
beforeAll(async () => {
  issuer = await openProvider()
  stage = await openStage({ outboundAllow: [new URL(issuer).host] })
  app = await openApp(stage)
  await openHosted(stage, app)
  const { projectId } = app
  const config = { issuer, clientIds: 'loggia' }
  await app.owner.ok(authSettings, 'createMethod', { body: { projectId, provider: 20, enabled: true, config, secret } })
})
afterAll(async () => {
  closeProviders()
  await stage.close()
})

const linkIn = (text: string) =>
  (/<a class="button" href="([^"]+)">([^<]+)</.exec(text)?.slice(1) ?? []).map(one => one.replaceAll('&amp;', '&'))

/** To the provider's page by the button, and back with what it answers. */
async function walk(browser: Browser, login: string): Promise<string> {
  const [href = ''] = linkIn(browser.shown.text)
  const there = await browser.open(`/cn/app-auth/${href}`)
  expect([there.status, there.location.startsWith(`${issuer}/auth?`)]).toEqual([303, true])
  return walkThere(there.location, login)
}

async function signIn(login: string): Promise<string> {
  const relying = await relyOn(stage, app)
  const { url, verifier, state, nonce } = await ask(relying)
  const browser = new Browser(stage)
  await browser.open(url)
  const { location } = await browser.open(await walk(browser, login))
  const tokens = await openid.authorizationCodeGrant(relying, new URL(location), {
    ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
    idTokenExpected: true,
  })
  return tokens.claims()?.sub ?? ''
}

it('a button leads to the provider and back into the app; the same person is the same user', async () => {
  const { url } = await ask(await relyOn(stage, app))
  const browser = new Browser(stage)
  expect(linkIn((await browser.open(url)).text)[1]).toBe('Continue with OpenID Connect')
  expect(linkIn((await browser.open(`${url}&ui_locales=zh`)).text)[1]).toBe('使用 OpenID Connect 继续')
  const first = await signIn('ada')
  expect(first).toMatch(/^\d+$/)
  expect(await signIn('ada')).toBe(first)
  expect(await signIn('eve')).not.toBe(first)
})

it('an answer of the provider is good in the browser that asked, once, and for ten minutes', async () => {
  const { url } = await ask(await relyOn(stage, app))
  const browser = new Browser(stage)
  await browser.open(url)
  const answer = await walk(browser, 'mallory')
  const victim = new Browser(stage)
  await victim.open(url)
  const theirs = await victim.open(answer)
  expect([theirs.status, theirs.location]).toEqual([400, ''])
  const own = await browser.open(answer)
  expect([own.status, own.location.startsWith('https://app.example.com/signed-in?code=')]).toEqual([303, true])
  const twice = await browser.open(answer)
  expect([twice.status, twice.location, twice.text]).toEqual([422, '', expect.stringContaining('was not accepted')])
  const late = new Browser(stage)
  await late.open(url)
  const old = await walk(late, 'mallory')
  await stage.clock.turn(600_001)
  expect((await late.open(old)).status).toBe(400)
})

it('whoever says no at the provider is back on the page; what is made up leads nowhere', async () => {
  const { url } = await ask(await relyOn(stage, app))
  const browser = new Browser(stage)
  await browser.open(url)
  const [href = ''] = linkIn(browser.shown.text)
  const there = await browser.open(`/cn/app-auth/${href}`)
  const state = new URL(there.location).searchParams.get('state') ?? ''
  const no = await browser.open(`/cn/app-auth/provider-done?${new URLSearchParams({ error: 'access_denied', state })}`)
  expect([no.status, linkIn(no.text).length]).toEqual([200, 2])
  for (const query of ['', 'state=x&code=y', `code=y&state=${state.slice(0, -4)}AAAA`, 'state[]=1&code[]=2'])
    expect((await browser.open(`/cn/app-auth/provider-done?${query}`)).status).toBe(400)
  const off = await browser.open(`/cn/app-auth/${href.replace('provider=20', 'provider=8')}`)
  expect([off.status, off.location]).toEqual([403, ''])
})

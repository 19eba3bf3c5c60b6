import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { remoteConfig } from '../src/services/grow/remote-config/contract.ts'
import { remoteConfigImpact } from '../src/services/grow/remote-config/impact/contract.ts'
import { remoteConfigReleases } from '../src/services/grow/remote-config/releases/contract.ts'
import { remoteConfigSettings } from '../src/services/grow/remote-config/settings/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { fillRemoteConfig, openConfig } from './growing.ts'
import { Loggia, type Visitor } from './loggia.ts'

let loggia: Loggia
let developer: Visitor
let where: { projectId: string; kind: 'client' }
let look: Look

beforeAll(async () => {
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  const { projectId } = await developer.ok(projects, 'createProject', { body: { name: 'Flags' } })
  where = await fillRemoteConfig(developer, projectId)
  if (!hasBrowser) return
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900 })
  await look.signInAs(...loggia.accountOf('administrator'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
})

describe.runIf(hasBrowser)('remote config', () => {
  const open = (tab: string) => look.open(`/remote-config?projectId=${where.projectId}&zone=CN&tab=${tab}`)

  it('is published from its page, with the difference before the eyes', async () => {
    await open('parameters')
    await look.page.getByText('welcome_text').first().waitFor()
    await look.checkAccess()
    await look.page.locator('[data-action=publishDraft]').click()
    await look.page.getByRole('dialog').getByText('accent').first().waitFor()
    await look.shot('remote-config-publish')
    await look.page.locator('[data-confirm=publishDraft]').click()
    await expect
      .poll(async () => (await developer.ok(remoteConfig, 'getHead', { query: where })).version, { timeout: 10_000 })
      .toBe(2)
    await look.checkClean()
  })

  it('is tried with a context, which says what somebody gets and why', async () => {
    await open('try')
    const { page } = look
    const row = page.getByRole('row', { name: 'welcome_text' })
    await row.getByText('你好').waitFor()
    await row.getByText('In China').waitFor()
    await page.getByRole('textbox', { name: 'Try with a context' }).fill('{"device.country":"DE"}')
    await row.getByText('Hello').waitFor()
    await look.checkAccess()
    await look.checkClean()
  })

  it('has its own time between two fetches, and attributes of its own', async () => {
    await open('settings')
    const { page } = look
    await page.getByRole('textbox', { name: 'Minutes between two fetches' }).fill('90')
    await page.locator('[data-action=putSettings]').click()
    await expect
      .poll(
        async () =>
          (await developer.ok(remoteConfigSettings, 'getSettings', { query: { projectId: where.projectId } }))
            .minFetchIntervalSec,
        { timeout: 10_000 },
      )
      .toBe(5400)
    await page.locator('[data-action=putAttribute]').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('user.plan')
    await page.locator('[data-confirm=putAttribute]').click()
    const made = page.getByText('user.plan', { exact: true })
    await made.waitFor()
    await look.checkAccess()
    await page.locator('[data-action=deleteAttribute]').click()
    await made.waitFor({ state: 'detached' })
    await look.checkClean()
  })

  it('has a parameter changed, and a condition moved by the keys', async () => {
    await open('parameters')
    await look.page.getByRole('button', { name: 'welcome_text' }).click()
    const field = look.page.getByRole('dialog').getByRole('textbox', { name: 'Default', exact: true })
    await field.fill('Good day')
    await look.shot('remote-config-parameter')
    await look.checkAccess()
    await look.page.locator('[data-confirm=updateParameter]').click()
    await look.page.getByText('Good day').waitFor()
    await open('conditions')
    await look.page.getByText('A tenth of all').first().waitFor()
    await look.checkAccess()
    const handle = look.page.getByRole('button', { name: /drag|Drag/ }).first()
    await handle.focus()
    for (const key of ['Space', 'ArrowDown', 'Space']) {
      await look.page.keyboard.press(key)
      await look.page.waitForTimeout(400)
    }
    const names = async () => {
      const { list } = await developer.ok(remoteConfig, 'listConditions', { query: where })
      return list.map(one => one.name)
    }
    await expect.poll(names, { timeout: 10_000 }).toEqual(['A tenth of all', 'In China'])
    await look.checkClean()
  })

  it('shows what each version changed, and goes back', async () => {
    await open('versions')
    await look.page.locator('[data-action=compareReleases]').first().click()
    await look.page.getByText('accent').first().waitFor()
    await look.checkAccess()
    await look.page.locator('[data-action=rollbackRelease]').first().click()
    await look.page.locator('[data-confirm=rollbackRelease]').click()
    await look.page.getByText('Version 3', { exact: true }).waitFor()
    await look.checkClean()
  })

  it('says of thirty parameters what a publish changes, and which have had their day', async () => {
    const { projectId } = where
    const keys = Array.from({ length: 30 }, (_one, at) => `a_rather_long_name_of_a_parameter_of_the_shop_${at}`)
    const textOf = (value: string) => ({
      ...{ valueType: 'STRING' as const, schema: null, default: { value }, group: null, description: '', owner: null },
      ...{ conditional: {}, expiresAt: null },
    })
    await developer.ok(remoteConfigReleases, 'publishTemplate', {
      params: { projectId },
      body: { conditions: [], groups: {}, parameters: Object.fromEntries(keys.map(key => [key, textOf('old')])) },
      headers: { 'if-match': '*' },
    })
    // The draft still stands on what was in force before.
    await developer.ok(remoteConfig, 'discardDraft', { query: where })
    const fetchAs = await openConfig(developer, projectId)
    const users = Array.from({ length: 120 }, (_one, at) => `user-${at}`)
    await Promise.all(users.map(targetingKey => fetchAs({ targetingKey })))
    // As though nothing had been published for a hundred days.
    const then = Date.now() - 100 * 86_400_000
    const since = JSON.stringify(Object.fromEntries(keys.map(key => [key, then])))
    await loggia.sql('cn', 'UPDATE rcs_templates SET values_since = $2 WHERE project_id = $1', [projectId, since])
    for (const key of keys) {
      const { revision } = await developer.ok(remoteConfig, 'getParameter', { params: { key }, query: where })
      const body = { ...where, valueType: 'STRING' as const, default: { value: 'new' }, revision }
      await developer.ok(remoteConfig, 'updateParameter', { params: { key }, body })
    }
    // They are written down once a minute.
    const contexts = async () => (await developer.ok(remoteConfigImpact, 'previewDraft', { query: where })).contexts
    await expect.poll(contexts, { timeout: 90_000, interval: 500 }).toBeGreaterThanOrEqual(100)
    for (const language of ['en', 'zh', 'ru'] as const) {
      const seen = await startLook({ origin: loggia.url, language, width: 1440, height: 900 })
      await seen.signInAs(...loggia.accountOf('administrator'))
      await seen.open(`/remote-config?projectId=${projectId}&zone=CN&tab=parameters`)
      await seen.page.getByText(keys[0]!).first().waitFor()
      for (const width of [390, 1440]) {
        await seen.wear({ width, height: 900, isDark: width === 390 })
        await seen.shot(`remote-config-stale-${language}-${width}`)
        if (language === 'en') await seen.checkAccess()
      }
      await seen.page.locator('[data-action=publishDraft]').click()
      await seen.page
        .getByRole('dialog')
        .getByText(/100.*%/)
        .first()
        .waitFor()
      for (const width of [390, 1440]) {
        await seen.wear({ width, height: 900, isDark: width === 390 })
        await seen.page
          .getByRole('dialog')
          .getByText(/100.*%/)
          .first()
          .scrollIntoViewIfNeeded()
        await seen.shot(`remote-config-impact-${language}-${width}`)
        if (language === 'en') await seen.checkAccess()
      }
      await seen.checkClean()
      await seen.close()
    }
  })
})

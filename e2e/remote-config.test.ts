import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { remoteConfig } from '../src/services/grow/remote-config/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { fillRemoteConfig } from './growing.ts'
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
  const { loginName, password } = loggia.signIns()['administrator']!
  await look.signInAs(loginName, password)
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
})

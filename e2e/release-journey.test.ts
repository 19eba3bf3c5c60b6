import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apps } from '../src/services/distribute/apps/contract.ts'
import {
  androidToolsHint,
  buildApk,
  hasAndroidTools,
} from '../src/services/distribute/packages/apk/build-apk.testkit.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { reviewDesk } from '../src/services/distribute/review/desk/contract.ts'
import { store } from '../src/services/distribute/store/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { versionListings } from '../src/services/distribute/versions/listing/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until, Visitor } from './loggia.ts'

const packageName = 'com.example.lantern'
const canRun = hasBrowser && hasAndroidTools()

/** Three people, two versions, one browser each. Every step is done on the pages, every result is asked of the server. */
describe.skipIf(!canRun)(
  canRun ? 'a release' : `a release (skipped: apt-get install chromium; ${androidToolsHint})`,
  () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-journey-'))
    const file = (name: string) => path.join(folder, name)
    let loggia: Loggia
    let developer: Look
    let operations: Look
    let reviewer: Look
    let asDeveloper: Visitor
    let asOperations: Visitor
    let asReviewer: Visitor
    let appId = ''
    let versionId = ''

    beforeAll(async () => {
      loggia = await Loggia.start()
      for (const [name, width, height] of [
        ['icon', 216, 216],
        ['one', 720, 1280],
        ['two', 720, 1280],
        ['three', 720, 1280],
      ] as const) {
        writeFileSync(file(`${name}.png`), solidPng(width, height))
      }
      await buildApk(file('lantern-1.apk'), { package: packageName, versionCode: 1, versionName: '1.0', targetSdk: 34 })
      await buildApk(file('lantern-2.apk'), { package: packageName, versionCode: 2, versionName: '2.0', targetSdk: 34 })
      const look = async (who: string) => {
        const opened = await startLook({ origin: loggia.url })
        await opened.signInAs(...loggia.accountOf(who))
        return opened
      }
      developer = await look('developer')
      operations = await look('operations')
      reviewer = await look('reviewer')
      asDeveloper = await loggia.signIn('developer')
      asOperations = await loggia.signIn('operations')
      asReviewer = await loggia.signIn('reviewer')
    })
    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return
      for (const [who, look] of Object.entries({ developer, operations, reviewer })) await look?.shot(`failed-${who}`)
    })
    afterAll(async () => {
      await Promise.all([developer, operations, reviewer].map(look => look?.close()))
      await loggia?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const versionNow = async (who: Visitor) => {
      const { version } = await who.ok(versions, 'getVersion', { query: { appId, versionId } })
      if (!version) throw new Error('the version is gone')
      return version
    }

    const buttonsOf = async ({ page }: Look) => {
      const actions = await page
        .locator('[data-action]')
        .evaluateAll(all => all.map(one => one.getAttribute('data-action')))
      return [...new Set(actions)].sort()
    }

    /** The buttons on the version page are exactly what the server allows this person now. */
    async function expectButtons(look: Look, who: Visitor, state: string): Promise<void> {
      const version = await until(`${state}, is ${(await versionNow(who)).state}`, async () => {
        const now = await versionNow(who)
        return now.state === state && now
      })
      await look.open(`/apps/${appId}/version/${versionId}`)
      await expect.poll(() => buttonsOf(look), { timeout: 15_000 }).toEqual([...version.allowedActions].sort())
      await look.checkClean()
    }

    async function openTask(): Promise<string> {
      const taskId = await until('a task on the desk', async () => {
        const { list } = await asReviewer.ok(reviewDesk, 'listTasks', { query: { search: appId } })
        return list.find(task => task.state !== 'DECIDED' && task.state !== 'CANCELED')?.taskId
      })
      await reviewer.open(`/desk/${taskId}`)
      return taskId
    }

    async function expectDeskButtons(taskId: string): Promise<void> {
      const { task } = await asReviewer.ok(reviewDesk, 'getTask', { query: { taskId } })
      await reviewer.open(`/desk/${taskId}`)
      await expect.poll(() => buttonsOf(reviewer), { timeout: 15_000 }).toEqual([...task.allowedActions].sort())
    }

    /** Chooses a verdict, fills its form with `fill`, sends it. */
    async function decide(action: string, fill: () => Promise<unknown>): Promise<void> {
      await reviewer.page.locator(`[data-action="${action}"]`).click()
      await fill()
      await reviewer.page.locator('[data-verdict] button[type="submit"]').click()
      await reviewer.page.locator('[data-verdict]').waitFor({ state: 'detached' })
    }

    async function submit(): Promise<void> {
      await operations.open(`/apps/${appId}/version/${versionId}`)
      await operations.page.locator('[data-action="submit"]').click()
      await operations.page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click()
      await operations.page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectButtons(operations, asOperations, 'IN_REVIEW')
    }

    async function uploadPackage(name: string, code: string): Promise<void> {
      await developer.open(`/apps/${appId}/packages`)
      await developer.page.locator('input[type="file"]').first().setInputFiles(file(name))
      await developer.page.getByText(code, { exact: false }).first().waitFor({ timeout: 60_000 })
    }

    async function choosePackage(name: RegExp): Promise<void> {
      await developer.open(`/apps/${appId}/version/${versionId}`)
      await developer.page.getByRole('button', { name: 'Change: Package' }).click()
      const dialog = developer.page.getByRole('dialog')
      await dialog.getByRole('radio', { name }).check()
      await dialog.locator('button[type="submit"]').click()
      await dialog.waitFor({ state: 'detached' })
    }

    it('begins with a project and an app', async () => {
      const { page } = developer
      await developer.open('/projects?new=1')
      await page.getByRole('dialog').getByLabel('Name', { exact: false }).first().fill('Lantern works')
      await page.getByRole('dialog').locator('button[type="submit"]').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await developer.open('/apps/new')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Lantern')
      await page.getByRole('button', { name: /Category/ }).click()
      await page
        .getByRole('option')
        .filter({ hasNotText: /choose/i })
        .last()
        .click()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('button', { name: 'Create app' }).click()
      await page.waitForURL(/#\/apps\/\d+/)
      appId = /#\/apps\/(\d+)/.exec(page.url())?.[1] ?? ''
      expect((await asDeveloper.ok(apps, 'getApp', { query: { appId } })).name).toBe('Lantern')
      const { version } = await asDeveloper.ok(versions, 'getVersion', { query: { appId } })
      versionId = version?.versionId ?? ''
      await developer.checkAccess()
      await expectButtons(developer, asDeveloper, 'DRAFT')
    })

    it('reads the uploaded package and fills the listing', async () => {
      await uploadPackage('lantern-1.apk', '1.0')
      await choosePackage(/1\.0/)
      const { page } = developer
      await developer.open(`/apps/${appId}/listing`)
      await page.locator('input[name$=".briefInfo"]').fill('A light for your pocket')
      await page.locator('textarea[name$=".appDesc"]').fill('Turns the screen into a lantern.')
      const inputs = page.locator('input[type="file"]')
      await inputs.first().setInputFiles(file('icon.png'))
      await page.locator('.listing-icon .listing-tiles li').waitFor()
      for (const [at, name] of ['one', 'two', 'three'].entries()) {
        await page.locator('.listing-images:not(.listing-icon) input[type="file"]').setInputFiles(file(`${name}.png`))
        await page.locator('.listing-images:not(.listing-icon) .listing-tiles li').nth(at).waitFor()
      }
      await page.locator('[data-action="edit"]').click()
      await until('the listing', async () => {
        const { list } = await asDeveloper.ok(versionListings, 'listListings', { query: { versionId } })
        return list[0]?.briefInfo
      })
      await developer.checkClean()
      await developer.checkAccess()
    })

    it('says what is still missing, the same on the page and from the server', async () => {
      await developer.open(`/apps/${appId}/version/${versionId}`)
      const { readiness } = await asDeveloper.ok(versions, 'getVersion', {
        query: { appId, versionId, include: 'readiness' },
      })
      const missing = readiness
        ?.filter(one => one.severity === 'BLOCK')
        .map(one => one.rule)
        .sort()
      expect(missing).toEqual(['countries', 'privacy.url'])
      const { page } = developer
      await page.getByRole('button', { name: 'Change: Countries and regions' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Choose all' }).click()
      await page.getByRole('dialog').locator('button[type="submit"]').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Change: For the reviewer' }).click()
      await page.locator('input[name="privacyPolicyUrl"]').fill('https://example.org/privacy')
      await page.getByRole('dialog').locator('button[type="submit"]').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectButtons(operations, asOperations, 'DRAFT')
    })

    it('is submitted by operations, who may not withdraw it', async () => {
      await submit()
      expect((await versionNow(asOperations)).allowedActions).not.toContain('withdraw')
      await expectButtons(developer, asDeveloper, 'IN_REVIEW')
    })

    it('is claimed by the reviewer, who asks; the developer answers', async () => {
      const taskId = await openTask()
      await expectDeskButtons(taskId)
      await reviewer.page.locator('[data-action="claim"]').click()
      await reviewer.page.locator('[data-action="ask"]').waitFor()
      await expectDeskButtons(taskId)
      await reviewer.checkAccess()
      await decide('ask', () =>
        reviewer.page.locator('[data-verdict] textarea[name="text"]').fill('How is the light switched on?'),
      )
      await developer.open(`/apps/${appId}/submission`)
      await developer.page.getByText('How is the light switched on?').waitFor()
      await developer.page.locator('[data-action="answer"] textarea').fill('By opening the app.')
      await developer.page.locator('[data-action="answer"] button[type="submit"]').click()
      await developer.page.locator('[data-action="message"]').waitFor()
      await expectDeskButtons(taskId)
    })

    it('is rejected with an issue, put right, submitted again and approved', async () => {
      const taskId = await openTask()
      if (await reviewer.page.locator('[data-action="claim"]').count())
        await reviewer.page.locator('[data-action="claim"]').click()
      await reviewer.page.locator('[data-action="reject"]').waitFor()
      await decide('reject', async () => {
        const { page } = reviewer
        await page.locator('.review-issue-form button[aria-haspopup]').first().click()
        await page.getByRole('option').first().click()
        await page
          .locator('textarea[name="issues.0.text"]')
          .fill('The description does not say that the light drains the battery.')
      })
      await expectDeskButtons(taskId)
      await expectButtons(developer, asDeveloper, 'REJECTED')
      await developer.open(`/apps/${appId}/submission`)
      await developer.page.getByText('drains the battery').first().waitFor()
      await developer.open(`/apps/${appId}/listing`)
      await developer.page
        .locator('textarea[name$=".appDesc"]')
        .fill('Turns the screen into a lantern. It drains the battery.')
      await developer.page.locator('[data-action="edit"]').click()
      await expectButtons(developer, asDeveloper, 'DRAFT')
      await submit()
      await openTask()
      await reviewer.page.locator('[data-action="claim"]').click()
      await reviewer.page.locator('[data-action="approve"]').waitFor()
      await decide('approve', async () => undefined)
      await expectButtons(operations, asOperations, 'ON_SHELF')
    })

    const device = (versionCode: string) => ({
      body: { deviceId: 'a device', packages: [{ packageName, versionCode }] },
    })

    it('is in the store, and a device that has none of it is told so', async () => {
      const offered = await until('the store', async () => {
        const { packages } = await new Visitor(loggia.url).ok(store, 'queryUpdates', device('0'))
        return packages[0]?.result === 'UPDATE' && packages[0]
      })
      expect(offered.versionCode).toBe('1')
      await developer.open(`/store/${packageName}`)
      await developer.page.getByText('Lantern').first().waitFor()
      await developer.checkClean()
      await developer.checkAccess()
    })

    it('is superseded by a second version, whose bytes a device gets', async () => {
      const { page } = developer
      const firstId = versionId
      await uploadPackage('lantern-2.apk', '2.0')
      await developer.open(`/apps/${appId}/version`)
      await page.getByRole('button', { name: 'Prepare next version' }).click()
      const second = await until('the second version', async () => {
        const { version } = await asDeveloper.ok(versions, 'getVersion', { query: { appId } })
        return version?.versionId !== firstId && version
      })
      versionId = second.versionId
      await choosePackage(/2\.0/)
      await developer.open(`/apps/${appId}/listing`)
      await page.locator('textarea[name$=".newFeatures"]').fill('Brighter.')
      await page.locator('[data-action="edit"]').click()
      await expectButtons(operations, asOperations, 'DRAFT')
      await submit()
      await openTask()
      await reviewer.page.locator('[data-action="claim"]').click()
      await reviewer.page.locator('[data-action="approve"]').waitFor()
      await decide('approve', async () => undefined)
      await expectButtons(operations, asOperations, 'ON_SHELF')
      versionId = firstId
      await expectButtons(operations, asOperations, 'SUPERSEDED')
      const offered = await until('the update', async () => {
        const { packages } = await new Visitor(loggia.url).ok(store, 'queryUpdates', device('1'))
        return packages[0]?.result === 'UPDATE' && packages[0]
      })
      expect(offered.versionCode).toBe('2')
      const bytes = await fetch(new URL(offered.url ?? '', loggia.url))
      expect(bytes.status).toBe(200)
      expect((await bytes.arrayBuffer()).byteLength).toBe(offered.size)
    })

    it('shows the developer what happened in the field', async () => {
      await until('the download to be counted', async () => {
        const { list } = await asDeveloper.ok(store, 'getVersionReach', { query: { appId } })
        return list.some(day => day.downloads > 0)
      })
      await developer.open(`/apps/${appId}/reach`)
      await developer.page.getByText('2.0').first().waitFor()
      await developer.checkClean()
      await developer.checkAccess()
    })
  },
)

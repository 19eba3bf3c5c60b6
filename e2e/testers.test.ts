import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { betaGroups } from '../src/services/distribute/beta-test/contract.ts'
import { betaInvitations } from '../src/services/distribute/beta-test/invitations/contract.ts'
import { hasAndroidTools } from '../src/services/distribute/packages/apk/build-apk.testkit.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'
import { draftRelease, startTest } from './releases.ts'
import { pageMailedTo, placeOf } from './testers.ts'

const canRun = hasBrowser && hasAndroidTools()
const title = 'testers'

describe.skipIf(!canRun)(canRun ? title : `${title} (skipped: apt-get install chromium aapt apksigner)`, () => {
  let loggia: Loggia
  let owner: Visitor
  let phone: Look
  let desk: Look
  let appId: string
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-testers-'))
  beforeAll(async () => {
    loggia = await Loggia.start()
    owner = await loggia.signIn('administrator')
    appId = (await draftRelease(owner, 'Beacon', 'ANDROID')).appId
    await startTest(owner, appId, { folder, packageName: 'com.example.beacon' })
    phone = await startLook({ origin: loggia.url, width: 390, height: 844, expectedErrors: /404/ })
    desk = await startLook({ origin: loggia.url, expectedErrors: /400/ })
    await desk.signInAs(...loggia.accountOf('administrator'))
  })
  afterAll(async () => {
    await phone?.close()
    await desk?.close()
    await loggia?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('say yes on a phone, write with a picture and a log, and the developer reads it', async () => {
    const { list } = await owner.ok(betaGroups, 'listGroups', { query: { appId } })
    await owner.ok(betaInvitations, 'inviteGroup', { params: { groupId: list[0]?.groupId ?? '' } })
    const { page } = phone
    await phone.open(placeOf(await pageMailedTo(owner, 'crew@example.com')))
    await phone.checkAccess()
    await page.locator('[data-action="accept"]').click()
    await page.getByText('The new map').waitFor()
    await page.getByRole('textbox').fill('The map is upside down.')
    await page.locator('input[type=file][accept*="image"]').setInputFiles({
      name: 'map.png',
      mimeType: 'image/png',
      buffer: solidPng(90, 160),
    })
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    const log = { name: 'map.log', mimeType: 'text/plain', buffer: Buffer.from('E/Map: turned by 180 degrees\n') }
    await page.locator('input[type=file][accept*=".log"]').setInputFiles(log)
    await page.getByRole('button', { name: 'Remove map.log' }).waitFor()
    await phone.checkAccess()
    await page.locator('[data-action="sendFeedback"]').click()
    await page.getByText('Thank you! It is sent.').waitFor()
    await phone.checkClean()

    await desk.open(`/apps/${appId}/feedback`)
    await desk.page.locator('[data-action="showFeedback"]').click()
    const dialog = desk.page.getByRole('dialog').filter({ visible: true })
    await dialog.getByRole('img', { name: 'Picture 1' }).waitFor()
    const address = await dialog.getByRole('link', { name: /Log 1/ }).getAttribute('href')
    expect(await (await fetch(address ?? '')).text()).toBe('E/Map: turned by 180 degrees\n')
    await dialog.locator('[data-action="take"]').click()
    await dialog.getByText('Taken up').waitFor()
    await desk.checkAccess()
    await desk.checkClean()
  })

  it('come by a link, prove their address by a mail, and are in the group', async () => {
    const body = { appId, name: 'Friends', kind: 'EXTERNAL' as const }
    const { groupId } = await owner.ok(betaGroups, 'createGroup', { body })
    const link = await owner.ok(betaInvitations, 'createLink', { params: { groupId }, body: { limit: 5 } })
    const { page } = phone
    await phone.open(placeOf(link.page ?? ''))
    await page.getByLabel('Mail address').fill('fay@example.com')
    await page.locator('[data-action="join"]').click()
    await page.getByText('Look into your mail').waitFor()
    const mailed = placeOf(await pageMailedTo(owner, 'fay@example.com'))
    await phone.open(mailed)
    await page.locator('[data-action="confirm"]').click()
    await page.getByText('There is nothing to test now').waitFor()
    // The answer was given once: the mail opens nothing more.
    await phone.open(mailed)
    await page.getByText('This invitation opens nothing any more').waitFor()
    const group = await owner.ok(betaGroups, 'getGroup', { params: { groupId } })
    expect([group.count, group.accepted]).toEqual([1, 1])
  })

  it('are refused by who has no address, in the language of the page', async () => {
    const { page } = desk
    await desk.open(`/apps/${appId}/testers`)
    await desk.speak('ru')
    await page.locator('#page').getByRole('link', { name: 'Friends' }).click()
    await page.locator('[data-action="addUsers"]').click()
    const dialog = page.getByRole('dialog').filter({ visible: true })
    await dialog.getByRole('textbox').fill('gus@example.com\nno-address Hal')
    await dialog.getByRole('button', { name: 'Добавить' }).click()
    await dialog.getByText('no-address — не адрес почты и не номер телефона с + и кодом страны.').waitFor()
    await dialog.getByRole('button', { name: 'Отмена' }).click()
    await desk.speak('en')
  })

  it('come from a file, and its report says of each line what became of it', async () => {
    const { page } = desk
    await desk.open(`/apps/${appId}/testers`)
    await page.locator('#page').getByRole('link', { name: 'Friends' }).click()
    await page.getByText('fay@example.com').waitFor()
    await page.locator('[data-action="importUsers"]').click()
    const dialog = page.getByRole('dialog').filter({ visible: true })
    const csv = 'account,nickname\ngus@example.com,Gus\nnobody,Nobody\nfay@example.com,Fay'
    const buffer = Buffer.from(csv)
    await dialog.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await dialog.getByText('3 people stand in the file.').waitFor()
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.locator('h1', { hasText: 'Import report' }).waitFor()
    await page.getByText('This is no mail address.').waitFor()
    await page.getByText('This person is in the group already.').waitFor()
    await desk.checkAccess()
    await desk.checkClean()
  })
})

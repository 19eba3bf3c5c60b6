import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until } from './loggia.ts'

const title = 'a contact for support'

describe.skipIf(!hasBrowser)(hasBrowser ? title : `${title} (skipped: apt-get install chromium)`, () => {
  let loggia: Loggia
  let look: Look
  beforeAll(async () => {
    loggia = await Loggia.start()
    look = await startLook({ origin: loggia.url, expectedErrors: /429/ })
    await look.signInAs(...loggia.accountOf('administrator'))
  })
  afterAll(async () => {
    await look?.close()
    await loggia?.close()
  })

  const codeMailedTo = (address: string) =>
    until('the mail', async () => {
      const folder = path.join(loggia.dataDir, 'mail')
      for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
        if (!name.endsWith('.eml')) continue
        const mail = await readFile(path.join(folder, name), 'utf8')
        if (mail.includes(address)) return /^Subject:.*?\b(\d{6})\b/m.exec(mail)?.[1]
      }
      return undefined
    })

  it('is reached from the page of support, named, proven by the mailed code and removed', async () => {
    const { page } = look
    await look.open('/support')
    await page.locator('#page').getByRole('link', { name: 'Support contacts' }).click()
    await page.getByText('No contact yet').waitFor()
    await page.locator('[data-action="addContact"]').first().click()
    const dialog = page.getByRole('dialog').filter({ visible: true })
    await dialog.getByLabel('Address').fill('no address')
    await dialog.getByRole('button', { name: 'Send the code' }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('Address').fill('Help@Example.com')
    await dialog.getByRole('button', { name: 'Send the code' }).click()

    const code = await codeMailedTo('help@example.com')
    const prove = async (typed: string) => {
      await dialog.getByRole('textbox', { name: 'Code' }).fill(typed)
      await dialog.getByRole('button', { name: 'Prove' }).click()
    }
    await dialog.getByRole('button', { name: /^New code in \d+ s/ }).waitFor()
    await prove(code === '000000' ? '000001' : '000000')
    await dialog.getByText('That is not the code. 4 tries are left.').waitFor()
    await look.checkAccess()
    await prove(code)
    await dialog.waitFor({ state: 'detached' })
    await page.locator('#page').getByText('Proven', { exact: true }).waitFor()

    await page.locator('[data-action="removeContact"]').click()
    await dialog.getByRole('textbox').fill('help@example.com')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    // No way around the minute between two codes.
    await page.getByText('It can be removed in').waitFor()
    expect(await page.locator('#page').getByText('Proven', { exact: true }).count()).toBe(1)
    await look.checkClean()
  })
})

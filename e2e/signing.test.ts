import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreementDocuments } from '../src/services/ground/agreements/documents/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'
import { draftRelease } from './releases.ts'

let loggia: Loggia
let look: Look
let staff: Visitor
let appId: string
beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  staff = await loggia.signIn('administrator')
  appId = (await draftRelease(staff, 'Ferry', 'NO_PACKAGE')).appId
  look = await startLook({ origin: loggia.url, expectedErrors: /403/ })
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
})

const name = { zh: '协议', en: 'House rules', ru: 'Правила' }
const body = `<img src=x onerror="document.title='broken in'">\n${Array.from({ length: 80 }, (_one, at) => `Rule ${at}`).join('\n')}`

async function publish(agrType: number, graceDays: number): Promise<void> {
  const key = { agrType, branchId: 0 }
  await staff.ok(agreementDocuments, 'setKind', {
    body: { ...key, name, signer: 'person', isRequired: true, isWithdrawable: true, permissions: [], revision: 0 },
  })
  const { documentId } = await staff.ok(agreementDocuments, 'createDocument', { body: { ...key, country: 'ZZ' } })
  const params = { documentId }
  await staff.ok(agreementDocuments, 'writeText', {
    params,
    body: { language: 'enUS', title: `Rules ${agrType}`, body, revision: 1 },
  })
  await staff.ok(agreementDocuments, 'updateDocument', {
    params,
    body: { effectiveAt: null, graceDays, requireResign: true, revision: 2 },
  })
  await staff.ok(agreementDocuments, 'actOnDocument', { params, body: { action: 'publish', revision: 3 } })
}

describe.skipIf(!hasBrowser)('what has to be signed', () => {
  it('comes up after sign-in with its date and can wait within the grace; after it every write is refused', async () => {
    await publish(1, 10)
    const { page } = look
    await look.signInAs(...loggia.accountOf('developer'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Please read and agree by').waitFor()
    await look.checkAccess()
    await look.shot('signing-grace')
    await dialog.locator('[data-action="later"]').click()
    await dialog.waitFor({ state: 'detached' })

    await publish(2, 0)
    await page.goto(`${loggia.url}/#/team/agreements`)
    await page.reload()
    await dialog.getByText('The time to sign is over').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // What is read goes on; the next write brings it back.
    await page.locator('#page h1').waitFor()
    await page.goto(`${loggia.url}/#/services`)
    await page
      .getByRole('button', { name: /^Add .* to favourites$/ })
      .first()
      .click()
    await dialog.getByText('The time to sign is over').waitFor()
    await look.wear({ width: 390, height: 844, isDark: true })
    await look.shot('signing-blocked')
    await look.checkAccess()
    const agree = dialog.locator('[data-action="agree"]')
    expect(await agree.isDisabled()).toBe(true)
    await dialog.getByText('I have read the text').click()
    await agree.click()
    await dialog.waitFor({ state: 'detached' })
    // Markup in a text is text.
    expect(await page.title()).not.toBe('broken in')

    await look.wear({ width: 1440, height: 900, isDark: false })
    await look.open('/my-agreements')
    await page.locator('[data-action="signedText"]').first().click()
    await dialog.getByText('The digest of this text is that of the signature').waitFor()
    await look.shot('signing-kept')
    await look.checkClean()
  })

  it('is asked for in the embedded face too, also when a write is refused there, and comes only when something waits', async () => {
    const small = await startLook({ origin: loggia.url, width: 390, height: 844, expectedErrors: /403/ })
    try {
      const { page } = small
      await small.signInAs(...loggia.accountOf('administrator'))
      await page.goto(`${loggia.url}/?appId=${appId}#/app/overview`)
      const dialog = page.getByRole('dialog')
      await dialog.getByText('The time to sign is over').waitFor()
      await small.shot('signing-embedded')
      await small.checkAccess()
      await dialog.locator('[data-action="later"]').click()
      await dialog.waitFor({ state: 'detached' })

      const submit = async () => {
        await page.locator('.embedded-card [data-action="submit"]').click()
        await page.locator('.embedded-dialog .embedded-button').click()
      }
      await submit()
      await dialog.getByText('The time to sign is over').waitFor()
      expect(await page.locator('dialog[open]').count()).toBe(0)
      await dialog.getByText('I have read the text').click()
      await dialog.locator('[data-action="agree"]').click()
      await dialog.waitFor({ state: 'detached' })
      await submit()
      await page.locator('.embedded-card [data-action="submit"]').waitFor({ state: 'detached' })

      const loaded: string[] = []
      page.on('response', response => loaded.push(response.url()))
      await page.reload()
      await page.locator('h1', { hasText: 'Ferry' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(loaded.filter(url => /SigningDialog|DialogFrame/.test(url))).toEqual([])
      expect(await page.locator('[class*="awsui_"]').count()).toBe(0)
      await small.checkClean()
    } finally {
      await small.close()
    }
  })
})

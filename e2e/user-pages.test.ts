import { createHmac, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appUserDesk } from '../src/services/build/app-auth/user-desk/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { type AppDevice, openAppOnDevice } from './app-device.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-users-'))
const password = 'Correct-horse-9'
let loggia: Loggia
let look: Look
let developer: Visitor
let projectId: string
let device: AppDevice

beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  ;({ projectId } = await developer.ok(projects, 'createProject', { body: { name: 'By hand' } }))
  device = await openAppOnDevice(developer, projectId, 'Club')
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900, expectedErrors: /400|422/ })
  await look.signInAs(...loggia.accountOf('administrator'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (tab: string) => look.open(`/auth?projectId=${projectId}&zone=CN&tab=${tab}`)
const action = (name: string) => look.page.locator(`[data-action=${name}]`).filter({ visible: true })
const confirm = (name: string) => look.page.locator(`[data-confirm=${name}]`)
const dialog = () => look.page.getByRole('dialog').filter({ visible: true })
const gone = () => dialog().waitFor({ state: 'detached' })
const row = (words: string | RegExp) => look.page.getByRole('row').filter({ hasText: words })
async function choose(name: string | RegExp, option: string | RegExp) {
  await dialog().getByRole('button', { name }).first().click()
  await look.page.getByRole('option', { name: option }).first().click()
}
/** Signs in on a device; the number of the answer. */
async function signIn(email: string): Promise<number> {
  const extraData = JSON.stringify({ password, verifyCode: '' })
  const answer = await device.send('/user-signin', { provider: 12, token: email, extraData, useJwt: 1 })
  return (answer['ret'] as { code: number }).code
}
const clean = async () => {
  await look.checkAccess()
  await look.checkClean()
}

describe.runIf(hasBrowser)('ways to sign in', () => {
  it('are switched on, and a provider says which field it lacks', async () => {
    const { page } = look
    await open('methods')
    await page.getByRole('button', { name: 'E-mail address: Turn on' }).click()
    await row('E-mail address').getByText('On', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Own account system: Turn on' }).click()
    await confirm('set-up').click()
    await dialog().getByText('This is needed.').waitFor()
    await look.shot('auth-method')
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
    await dialog().getByRole('textbox', { name: 'Public key (PEM)' }).fill(pem)
    await confirm('set-up').click()
    await gone()
    await page.getByRole('button', { name: 'Own account system: Turn off' }).waitFor()
    await look.shot('auth-methods')
    await clean()
  })
})

describe.runIf(hasBrowser)('users', () => {
  it('are made by hand and found by what they are called and reached by', async () => {
    const { page } = look
    await open('users')
    await action('create').click()
    const fill = (name: string, value: string) => dialog().getByLabel(name, { exact: true }).fill(value)
    await fill('Name', 'Mira Olsen')
    await fill('E-mail address', 'no address')
    await confirm('create').click()
    await dialog().getByText('The e-mail address is not one').waitFor()
    await look.shot('auth-new')
    await fill('E-mail address', 'mira@example.com')
    await fill('Phone number', '+49-1701234567')
    await fill('Password', password)
    await confirm('create').click()
    await gone()
    for (const words of ['mira@ex', '+49-170', 'Mira']) {
      await page.getByRole('searchbox').fill(words)
      await row('mira@example.com').waitFor()
    }
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('mira@example.com').waitFor({ state: 'detached' })
    expect(await signIn('mira@example.com')).toBe(0)
    await clean()
  })

  it('come from a file of a peer with the hashes of their passwords, after a trial that names what is wrong', async () => {
    const { page } = look
    const [key, salt] = [Buffer.from('a key of the peer'), Buffer.from('salt')]
    const passwordHash = createHmac('sha256', key).update(password).update(salt).digest('base64')
    const file = path.join(folder, 'users.csv')
    const lines = ['importUid,email,displayName,passwordHash,salt,emailVerified']
    lines.push(
      `u1,ada@example.com,Ada Lane,${passwordHash},${salt.toString('base64')},true`,
      'u2,no address,Bo Chen,,,',
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    await open('users')
    await action('import').click()
    const tooLong = Array.from({ length: 1_002 }, (_, at) => `,${at}@example.com,${'n'.repeat(at === 1_001 ? 101 : 1)}`)
    const longFile = path.join(folder, 'long.csv')
    writeFileSync(longFile, `${['importUid,email,displayName', ...tooLong].join('\n')}\n`)
    await page.locator('input[type=file]').setInputFiles(longFile)
    await confirm('import').click()
    await dialog().getByText('Row 1002, displayName: At most 100 characters').waitFor()
    await page.locator('input[type=file]').setInputFiles(file)
    await dialog().getByText('2 users found in the file.').waitFor()
    await choose(/How passwords are hashed/, /^HMAC SHA256/)
    await dialog().getByLabel('Key (base64)').fill(key.toString('base64'))
    await confirm('import').click()
    await dialog().getByText('Would be new: 1, merged: 0, not taken: 1.').waitFor()
    await dialog().getByText('Row 2: the e-mail address is not one').waitFor()
    await look.shot('auth-import')
    expect(await signIn('ada@example.com')).not.toBe(0)
    await dialog().getByRole('checkbox').uncheck()
    await confirm('import').click()
    await dialog()
      .getByText(/New: 1, merged: 0, not taken: 1/)
      .waitFor()
    await page.keyboard.press('Escape')
    await gone()
    await row('ada@example.com').waitFor()
    expect(await signIn('ada@example.com')).toBe(0)
    await clean()
  })

  it('are changed, shut out and let in again, signed out, and deleted by their name', async () => {
    const { page } = look
    await open('users')
    await row('ada@example.com').getByRole('link').click()
    await page.locator('#page h1', { hasText: 'Ada Lane' }).waitFor()
    await page.getByText('Signed in', { exact: true }).waitFor()
    await action('edit').click()
    await dialog().getByLabel('Name', { exact: true }).fill('Ada King')
    await dialog().getByLabel('Custom claims').fill('{ no json')
    await dialog().getByText('This is not a JSON object.').waitFor()
    expect(await confirm('edit').isDisabled()).toBe(true)
    await dialog().getByLabel('Custom claims').fill('{"plan":"pro"}')
    await confirm('edit').click()
    await gone()
    await page.locator('#page h1', { hasText: 'Ada King' }).waitFor()
    await page.getByText('{"plan":"pro"}').waitFor()
    await look.shot('auth-user')
    await action('disable').click()
    await page.getByText('Ended: user disabled').waitFor()
    expect(await signIn('ada@example.com')).not.toBe(0)
    await action('enable').click()
    await action('disable').waitFor()
    expect(await signIn('ada@example.com')).toBe(0)
    await page.reload()
    await action('end-all').click()
    await page.getByText('Ended by the team').waitFor()
    await look.shot('auth-sessions')
    await action('delete').click()
    await dialog().getByRole('textbox').fill('Ada King')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('searchbox').waitFor()
    await row('mira@example.com').waitFor()
    expect(await page.getByText('ada@example.com').count()).toBe(0)
    const { list } = await developer.ok(appUserDesk, 'listUsers', { query: { projectId } })
    expect(list.map(one => one.email)).toEqual(['mira@example.com'])
    await clean()
  })

  it('get a text message for a trial, which the chart of its day counts', async () => {
    const { page } = look
    await open('sms')
    await page.getByRole('textbox', { name: 'Phone number' }).fill('+49-1701234567')
    await action('sms-test').click()
    await row('+49-1701234567').waitFor()
    await page.getByText(/^1 of [\d,]+ today$/).waitFor()
    await look.shot('auth-sms')
    await clean()
  })
})

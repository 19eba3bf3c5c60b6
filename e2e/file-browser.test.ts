import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storage } from '../src/services/build/storage/contract.ts'
import { storageFiles } from '../src/services/build/storage/files/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const MiB = 1024 ** 2
const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-files-'))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
let loggia: Loggia
let look: Look
let developer: Visitor
let projectId: string
let bucketId: string

beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  ;({ projectId } = await developer.ok(projects, 'createProject', { body: { name: 'By hand' } }))
  await developer.ok(storage, 'initData', { body: { projectId, bucketName: 'first-one' } })
  const expectedErrors = /409|ERR_INTERNET_DISCONNECTED/
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900, expectedErrors })
  await look.signInAs(...loggia.accountOf('administrator'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (tab: string, more = '') =>
  look.open(`/storage/${bucketId}?projectId=${projectId}&zone=CN&tab=${tab}${more}`)
const action = (name: string) => look.page.locator(`[data-action=${name}]`).filter({ visible: true })
const confirm = (name: string) => look.page.locator(`[data-confirm=${name}]`)
const dialog = () => look.page.getByRole('dialog').filter({ visible: true })
const gone = () => dialog().waitFor({ state: 'detached' })
const link = (name: string) => look.page.getByRole('link', { name, exact: true })
/** Files as they are dragged in from the desktop. */
async function drop(files: Record<string, string>) {
  const carried = await look.page.evaluateHandle(`(() => {
    const carried = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) carried.items.add(new File([text], name))
    return carried
  })()`)
  const place = look.page.locator('.lg-drop')
  await place.dispatchEvent('dragover', { dataTransfer: carried })
  await look.page.locator('.lg-drop-over').waitFor()
  await place.dispatchEvent('drop', { dataTransfer: carried })
}
const clean = async () => {
  await look.checkAccess()
  await look.checkClean()
}

describe.runIf(hasBrowser)('the browser of files', () => {
  it('makes a bucket and a folder, takes what is dragged in, and finds it again', async () => {
    const { page } = look
    await look.open(`/storage?projectId=${projectId}&zone=CN&tab=buckets`)
    await action('create').click()
    await dialog().getByRole('textbox').fill('Not A Name')
    await dialog().getByText('Lower-case letters, digits and single hyphens only').waitFor()
    await dialog().getByRole('textbox').fill('holiday-photos')
    await dialog().getByRole('checkbox').check()
    await confirm('create-bucket').click()
    await gone()
    const made = page.getByRole('link', { name: /^holiday-photos/ })
    bucketId = (await made.textContent()) ?? ''
    await made.click()
    await action('new-folder').click()
    await dialog().getByRole('textbox').fill('notes')
    await confirm('create-folder').click()
    await gone()
    await link('notes/').click()
    await page.getByText('No files here').waitFor()
    await drop({ 'one.txt': 'The first note', 'two.txt': 'The second note' })
    await link('one.txt').waitFor()
    await link('two.txt').waitFor()
    await drop({ 'one.txt': 'Another first note' })
    await page.getByText('one.txt is there already').waitFor()
    await look.shot('sto-files')
    await page.getByRole('checkbox', { name: 'Replace files of the same name' }).check()
    await drop({ 'one.txt': 'Another first note' })
    await page.getByText('one.txt is there already').waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Where you are' }).getByText(bucketId).first().click()
    await link('notes/').waitFor()
    await page.getByRole('searchbox').fill('two')
    await link('notes/two.txt').waitFor()
    await clean()
  })

  it('goes on with an upload where the line was cut', async () => {
    const { page, context } = look
    const bytes = randomBytes(32 * MiB)
    const film = path.join(folder, 'film.bin')
    writeFileSync(film, bytes)
    await open('files')
    const line = await context.newCDPSession(page)
    await line.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 6 * MiB }
    await line.send('Network.emulateNetworkConditions', slow)
    await page.locator('input[type=file]').setInputFiles(film)
    const received = async () => {
      const [row] = await loggia.sql<{ received: string }>(
        'cn',
        `SELECT received FROM storage_uploads WHERE bucket_id = '${bucketId}' AND path = 'film.bin' AND state = 'OPEN'`,
      )
      return Number(row?.received ?? 0)
    }
    await expect.poll(received, { timeout: 60_000 }).toBeGreaterThanOrEqual(8 * MiB)
    await look.shot('sto-sending')
    const cut = page.waitForEvent('requestfailed')
    await line.send('Network.emulateNetworkConditions', { ...slow, offline: true })
    const offsets: number[] = []
    page.on('request', request => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    })
    await cut
    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await link('film.bin').waitFor({ timeout: 60_000 })
    expect(offsets.at(-1)).toBeGreaterThanOrEqual(8 * MiB)
    await link('film.bin').click()
    const saved = page.waitForEvent('download')
    await action('download').click()
    expect(sha256(readFileSync(await (await saved).path()))).toBe(sha256(bytes))
    await page.keyboard.press('Escape')
    await clean()
  })

  it('shows a file with its versions, and lends it by an address that can be taken back', async () => {
    const { page } = look
    await open('files', '&prefix=notes%2F')
    await link('one.txt').click()
    await dialog().getByText('Earlier versions').waitFor()
    await dialog().locator('[data-action=restore]').click()
    await expect
      .poll(async () => {
        const detail = await developer.ok(storageFiles, 'queryDetail', { body: { bucketId, path: 'notes/one.txt' } })
        return detail.object.size
      })
      .toBe('The first note'.length)
    await action('create-token').click()
    await dialog()
      .getByText(/token=/)
      .waitFor()
    const address =
      /https?:\S+/.exec(
        (await dialog()
          .getByText(/token=/)
          .textContent()) ?? '',
      )?.[0] ?? ''
    expect(await (await fetch(address)).text()).toBe('The first note')
    await look.shot('sto-detail')
    const list = Promise.withResolvers<void>()
    await page.route('**/listFiles', route => list.promise.then(() => route.continue()))
    await action('revoke-token').click()
    await dialog().getByText('No tokens').waitFor()
    expect((await fetch(address)).status).toBe(403)
    // The keyboard is still in the dialog, also while the list behind it is read anew.
    await page.keyboard.press('Escape')
    await gone()
    list.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await clean()
  })

  it('turns over pages, deletes after a question, and counts what is used', async () => {
    const { page } = look
    for (let at = 0; at < 105; at++) {
      const name = `many/${String(at).padStart(3, '0')}.txt`
      const { uploadUrl } = await developer.ok(storageFiles, 'startUpload', {
        body: { bucketId, path: name, size: 4, contentType: 'text/plain' },
      })
      await fetch(loggia.url + uploadUrl, {
        method: 'PATCH',
        body: 'text',
        headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      })
    }
    await open('files', '&prefix=many%2F')
    await link('099.txt').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await link('104.txt').waitFor()
    expect(await link('099.txt').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Choose 104.txt' }).check()
    await action('delete-files').click()
    await dialog().getByRole('textbox').fill('104.txt')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await gone()
    await link('104.txt').waitFor({ state: 'detached' })
    await open('files')
    await page.getByRole('checkbox', { name: 'Choose many' }).check()
    await action('delete-files').click()
    await dialog().getByRole('textbox').fill('many')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await gone()
    await link('many/').waitFor({ state: 'detached', timeout: 60_000 })
    await look.open(`/storage?projectId=${projectId}&zone=CN&tab=usage`)
    await page.getByText('Writes and listings by day').waitFor()
    await page.getByText(/MB of/).first().waitFor()
    await look.shot('sto-usage')
    await clean()
  })

  it('serves a site and lets pages of another origin in, once both are switched on', async () => {
    const { page } = look
    await open('files')
    await drop({ 'index.html': '<h1>Holidays</h1>' })
    await link('index.html').waitFor()
    await open('site')
    await page.getByRole('checkbox', { name: 'Open as a site' }).check()
    await action('save-site').click()
    await page.getByText('Open', { exact: true }).first().waitFor()
    await look.shot('sto-site')
    expect(await (await fetch(`${loggia.url}/hosting/${bucketId}/`)).text()).toBe('<h1>Holidays</h1>')
    await open('cors')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('textbox', { name: 'Origins' }).fill('https://club.example.com')
    await action('save-cors').click()
    const preflight = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'GET' }
      const reply = await fetch(`${loggia.url}/v0/${bucketId}/index.html`, { method: 'OPTIONS', headers })
      return reply.headers.get('access-control-allow-origin')
    }
    await expect.poll(() => preflight('https://club.example.com')).toBe('https://club.example.com')
    expect(await preflight('https://other.example.com')).toBeNull()
    await look.shot('sto-cors')
    await clean()
  })
})

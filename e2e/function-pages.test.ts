import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { functionInvoke } from '../src/services/build/functions/queue/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-functions-'))
let loggia: Loggia
let look: Look
let developer: Visitor
let projectId: string
let functionId: string

beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  ;({ projectId } = await developer.ok(projects, 'createProject', { body: { name: 'By hand' } }))
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900, expectedErrors: /400/ })
  await look.signInAs(...loggia.accountOf('administrator'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (tab: string) => look.open(`/functions/${functionId}?projectId=${projectId}&zone=CN&tab=${tab}`)
const button = (action: string) => look.page.locator(`[data-action=${action}]`).filter({ visible: true })
const confirm = (action: string) => look.page.locator(`[data-confirm=${action}]`)
const dialog = () => look.page.getByRole('dialog').filter({ visible: true })
const text = (words: string | RegExp) => look.page.getByText(words).filter({ visible: true }).first()
const field = (name: string) => look.page.getByRole('textbox', { name, exact: true })
/** As pasted: what is typed key by key gets its closing brackets. */
async function write(name: string, content: string) {
  await field(name).click()
  for (const key of ['ControlOrMeta+a', 'Delete']) await look.page.keyboard.press(key)
  await look.page.keyboard.insertText(content)
}
async function choose(name: string | RegExp, option: string | RegExp) {
  await dialog().getByRole('button', { name }).first().click()
  await look.page.getByRole('option', { name: option }).first().click()
}
async function publish(whatIsNew: string) {
  await button('publish').click()
  await dialog().getByRole('textbox').fill(whatIsNew)
  await confirm('publish').click()
  await dialog().waitFor({ state: 'detached' })
}
async function zip(files: Record<string, string>): Promise<Buffer> {
  const made = new yazl.ZipFile()
  for (const [name, content] of Object.entries(files)) made.addBuffer(Buffer.from(content), name)
  made.end()
  return buffer(made.outputStream)
}
const clean = async () => {
  await look.checkAccess()
  await look.checkClean()
}

describe.runIf(hasBrowser)('a function', () => {
  it('is made, written, tried out and told where it fails', async () => {
    const { page } = look
    await look.open(`/functions?projectId=${projectId}&zone=CN`)
    await button('create').first().click()
    await dialog().getByRole('textbox').first().fill('Greet Visitors')
    await text('Lower case letters, digits and hyphens only').waitFor()
    expect(await confirm('create').isDisabled()).toBe(true)
    await dialog().getByRole('textbox').first().fill('greet-visitors')
    await confirm('create').click()
    await page.locator('#page h1', { hasText: 'greet-visitors' }).waitFor()
    functionId = /functions\/(\d+)/.exec(page.url())?.[1] ?? ''
    await page.getByRole('button', { name: 'Add a file' }).click()
    await dialog().getByRole('textbox').fill('lib/places.js')
    await dialog().getByRole('button', { name: 'Add' }).click()
    await write('lib/places.js', `module.exports = ['harbour', 'lighthouse']\n`)
    await page.getByRole('button', { name: /^index\./ }).click()
    const index = (await page.getByRole('button', { name: /^index\./ }).textContent()) ?? ''
    await write(
      index,
      `const places = require('./lib/places')

exports.handler = async event => {
  const { name } = event.body ? JSON.parse(event.body) : event
  console.log('asked by', name)
  if (!name) throw new Error('nobody asks')
  return { hello: name, near: places[0] }
}
`,
    )
    await text('What is saved is called').waitFor()
    await button('save').click()
    await text('Calls $latest with an event.').waitFor()
    await button('test').click()
    await page.locator('.fn-output', { hasText: '"near": "harbour"' }).waitFor()
    await text('asked by Ada').waitFor()
    expect(await field(index).textContent()).toContain('nobody asks')
    expect(await button('save').isDisabled()).toBe(true)
    await look.shot('fn-code')
    await write('Event', '{}')
    await button('test').click()
    await page.locator('.fn-output', { hasText: `${index}:6` }).waitFor()
    await field('Name of the event').fill('nobody')
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await page.getByRole('button', { name: /Kept events/ }).waitFor()
    await look.shot('fn-test')
    await clean()
  })

  it('that cannot begin is not saved, and what was there goes on', async () => {
    const { page } = look
    await open('code')
    const index = (await page.getByRole('button', { name: /^index\./ }).textContent()) ?? ''
    await write(index, 'exports.handle = () => 1\n')
    await button('save').click()
    await text('Not saved').waitFor()
    await look.shot('fn-refused')
    await page.getByRole('button', { name: 'Undo changes' }).click()
    await button('test').click()
    await page.locator('.fn-output', { hasText: '"near": "harbour"' }).waitFor()
    await clean()
  })

  it('gets its code from a package, is published, and an alias is split by the keyboard', async () => {
    const { page } = look
    await open('code')
    await publish('The first')
    await page.getByRole('button', { name: 'lib/places.js', exact: true }).click()
    await text('Published as version 1').waitFor()
    const packed = path.join(folder, 'code.zip')
    writeFileSync(packed, await zip({ 'index.js': 'exports.handler = async () => ({ hello: "package" })\n' }))
    await write('lib/places.js', 'lost')
    await button('upload-package').click()
    await dialog().getByText('not saved is lost').waitFor()
    await page.locator('input[type=file]').setInputFiles(packed)
    await look.shot('fn-package')
    await confirm('package').click()
    await dialog().waitFor({ state: 'detached' })
    await button('test').click()
    await page.locator('.fn-output', { hasText: '"hello": "package"' }).waitFor()
    await publish('From a package')
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('row', { name: /From a package/ }).waitFor()
    await button('new-alias').click()
    await choose(/^Version/, '1')
    await choose(/^Second version/, '2')
    const slider = page.getByRole('slider')
    await slider.focus()
    for (let press = 0; press < 15; press++) await page.keyboard.press('ArrowRight')
    await dialog().getByText('25 of 100 calls to the second version').waitFor()
    await look.shot('fn-alias')
    await confirm('alias').click()
    await dialog().waitFor({ state: 'detached' })
    await text('75 % to 1, 25 % to 2').waitFor()
    const { list } = await developer.ok(functionsIde, 'listVersions', {
      params: { name: 'greet-visitors' },
      query: { projectId },
    })
    expect(list.map(one => [one.version, one.aliases])).toEqual([
      ['$latest', []],
      ['2', ['live']],
      ['1', ['live']],
    ])
    const saved = page.waitForEvent('download')
    await page
      .getByRole('row', { name: /The first/ })
      .locator('[data-action=download-version]')
      .click()
    expect(
      readFileSync(await (await saved).path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
    await look.shot('fn-versions')
    await clean()
  })

  it('is called by its address and by the clock, and its lines are seen as they come', async () => {
    const { page } = look
    await open('triggers')
    await button('new-trigger').first().click()
    await dialog().getByRole('textbox').first().fill('public address')
    await choose(/^Version or alias/, 'live')
    await confirm('trigger').click()
    await dialog().waitFor({ state: 'detached' })
    const address = (await page.locator('.fn-url').textContent()) ?? ''
    await button('new-trigger').first().click()
    await choose(/^Kind/, /^Timer/)
    await dialog().getByRole('textbox').first().fill('every morning')
    await field('Schedule').fill('* * * *')
    await look.shot('fn-cron-wrong')
    expect(await confirm('trigger').isDisabled()).toBe(true)
    await field('Schedule').fill('0 9 * * 1-5')
    await look.shot('fn-cron')
    await confirm('trigger').click()
    await dialog().waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /every morning/ })
      .getByRole('checkbox')
      .click()
    await page
      .getByRole('row', { name: /every morning/ })
      .getByText('Off')
      .waitFor()
    await look.shot('fn-triggers')
    await page.getByRole('tab', { name: 'Calls', exact: true }).click()
    await button('watch').click()
    const place = address.slice(address.indexOf('http'))
    for (const name of ['Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal', 'Ida']) {
      const reply = await fetch(place, { method: 'POST', body: JSON.stringify({ name }) })
      expect(reply.status).toBe(200)
    }
    await page.locator('.fn-lines, .fn-tail').getByText('asked by').first().waitFor()
    await look.shot('fn-calls')
    await clean()
  })

  it('is held back by its breaker while it fails, and its copies are seen', async () => {
    const { page } = look
    await open('governance')
    const box = page.locator('.fn-breaker')
    await page.locator('.fn-qualifier button').click()
    await page.getByRole('option', { name: '1', exact: true }).click()
    await box.getByText('Not in force').waitFor()
    await page.getByRole('checkbox', { name: 'Off' }).first().click()
    await page.getByRole('spinbutton', { name: 'Calls needed to judge' }).fill('3')
    await button('save-breaker').click()
    await box.locator('[aria-current=step]', { hasText: 'Closed' }).waitFor()
    const call = { params: { functionName: 'greet-visitors' }, query: { projectId } }
    for (let turn = 0; turn < 4; turn++) {
      await developer.call(functionInvoke, 'invokeFunction', { ...call, body: { qualifier: '1', payload: {} } })
    }
    await box.locator('[aria-current=step]', { hasText: 'Open' }).waitFor()
    await box.getByText('1 call held back').waitFor()
    await look.shot('fn-breaker')
    await page.getByRole('tab', { name: 'Scaling' }).click()
    await page.getByRole('spinbutton', { name: 'At least' }).fill('2')
    await button('save-manager').click()
    await page.getByRole('row', { name: /Ready/ }).nth(1).waitFor()
    await look.shot('fn-pods')
    await clean()
  })

  it('gets secrets, a layer and a place in the list with its calls, and is deleted by its name', async () => {
    const { page } = look
    await look.open(`/function-layers?projectId=${projectId}&zone=CN`)
    const packed = path.join(folder, 'layer.zip')
    writeFileSync(packed, await zip({ 'node_modules/compass/index.js': `module.exports = 'north'` }))
    await button('new-layer').first().click()
    await dialog().getByRole('textbox').first().fill('compass')
    await page.locator('input[type=file]').setInputFiles(packed)
    await confirm('layer').click()
    await page.getByRole('row', { name: /compass/ }).waitFor()
    await look.shot('fn-layers')
    await open('settings')
    await page.getByRole('button', { name: /Add a layer/ }).click()
    await page.getByRole('option', { name: 'compass' }).click()
    await field('Environment').fill('PLACE=harbour')
    await field('Secrets').fill('TOKEN=hush')
    await look.shot('fn-settings')
    await button('save').click()
    await text('TOKEN').waitFor()
    await page.getByRole('tab', { name: 'Code' }).click()
    await write(
      'index.js',
      `exports.handler = async () => [require('compass'), process.env.PLACE, process.env.TOKEN.length]\n`,
    )
    await button('save').click()
    await text('Calls $latest with an event.').waitFor()
    await button('test').click()
    await page.locator('.fn-output', { hasText: '"harbour",' }).waitFor()
    expect(JSON.parse((await page.locator('.fn-output').textContent()) ?? '')).toEqual(['north', 'harbour', 4])
    await look.open(`/functions?projectId=${projectId}&zone=CN`)
    const row = page.getByRole('row', { name: /greet-visitors/ })
    await row.getByText(/^1\d calls · \d failed$/).waitFor()
    await look.shot('fn-list')
    await row.getByRole('link').click()
    await button('delete').click()
    await dialog().getByRole('textbox').fill('greet-visitors')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await text('No functions yet').waitFor()
    await clean()
  })
})

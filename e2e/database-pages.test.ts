import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { cloudDb } from '../src/services/build/cloud-db/contract.ts'
import { cloudDbObjects } from '../src/services/build/cloud-db/objects/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { openAppOnDevice } from './app-device.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-database-'))
/** As a text may be: with what is written otherwise in JSON, in CSV and in HTML. */
const awkward = `"quoted" \\ back, <b>bold</b> 🐚 it's`
let loggia: Loggia
let look: Look
let developer: Visitor
let projectId: string

beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  ;({ projectId } = await developer.ok(projects, 'createProject', { body: { name: 'By hand' } }))
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900, expectedErrors: /40[09]|422/ })
  await look.signInAs(...loggia.accountOf('administrator'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (tab: string) => look.open(`/cloud-db?projectId=${projectId}&zone=CN&tab=${tab}`)
const action = (name: string) => look.page.locator(`[data-action="cloudDb.${name}"]`).filter({ visible: true })
const confirm = (name: string) => look.page.locator(`[data-confirm="cloudDb.${name}"]`)
const dialog = () => look.page.getByRole('dialog').filter({ visible: true })
const press = (name: string | RegExp) => look.page.getByRole('button', { name, exact: true }).last().click()
const gone = () => dialog().waitFor({ state: 'detached' })
const cell = (key: string, field: string) =>
  look.page.getByRole('button', { name: `Edit ${field} ${key}`, exact: true })
const row = (words: string | RegExp) => look.page.getByRole('row').filter({ hasText: words })
async function choose(within: ReturnType<typeof dialog>, name: string | RegExp, option: string) {
  await within.getByRole('button', { name }).first().click()
  await look.page.getByRole('option', { name: option, exact: true }).first().click()
}
/** Opens a cell, writes into it and leaves it by a key. */
async function edit(key: string, field: string, text: string, leave: 'Enter' | 'Escape' = 'Enter') {
  await cell(key, field).click()
  await look.page.getByRole('textbox', { name: field, exact: true }).fill(text)
  await look.page.keyboard.press(leave)
}
const where = () => ({ projectId, cloudDBZoneName: 'main', objectTypeName: 'Article' })
const ask = (queryConditions: object[]) =>
  developer.ok(cloudDbObjects, 'queryObjects', { body: { ...where(), queryConditions, withTotal: true } })
const stored = async (id: string) =>
  (await ask([{ conditionType: 'EqualTo', fieldName: 'id', value: id }])).data as Record<string, unknown>[]
const total = async () => (await ask([])).total ?? 0
const clean = async () => {
  await look.checkAccess()
  await look.checkClean()
}

describe.runIf(hasBrowser)('a cloud database', () => {
  it('is switched on, gets a data zone, and a type is designed, shown as a plan, and changed', async () => {
    const { page } = look
    await open('types')
    await action('switch').click()
    await dialog().getByRole('checkbox').check()
    await dialog().getByRole('button', { name: 'Switch on' }).click()
    await gone()
    await page.getByRole('tab', { name: 'Data zones' }).click()
    await action('createZone').first().click()
    await dialog().getByRole('textbox').fill('main')
    await dialog().getByRole('button', { name: 'New data zone' }).click()
    await row('main').waitFor()
    await page.getByRole('tab', { name: 'Object types' }).click()
    await action('createType').first().click()
    await dialog().getByRole('textbox').first().fill('1st')
    await dialog().getByText('objectTypeName').waitFor()
    expect(await confirm('applyType').isDisabled()).toBe(true)
    await dialog().getByRole('textbox').first().fill('Article')
    const fields = [
      ['title', 'String'],
      ['words', 'Integer'],
      ['views', 'Long'],
      ['isOut', 'Boolean'],
      ['published', 'Date'],
      ['body', 'Text'],
    ] as const
    for (const [name, type] of fields) {
      await dialog().getByRole('button', { name: 'Add a field' }).click()
      await dialog().getByRole('textbox', { name: 'Field name' }).last().fill(name)
      if (type !== 'String') await choose(dialog(), `Type ${name}`, type)
    }
    await look.shot('cdb-fields')
    await dialog().getByRole('tab', { name: 'Indexes' }).click()
    await dialog().getByRole('button', { name: 'Add an index' }).click()
    await dialog().getByRole('textbox', { name: 'Index name' }).fill('byWords')
    await choose(dialog(), 'Fields in order', 'words')
    await page.keyboard.press('Escape')
    await dialog().getByRole('tab', { name: 'Rights' }).click()
    await dialog().getByRole('checkbox', { name: 'World: Read' }).check()
    await look.shot('cdb-rights')
    await confirm('applyType').click()
    await dialog().getByText('CREATE TABLE').waitFor()
    await look.shot('cdb-plan')
    await confirm('applyType').click()
    await gone()
    await row('Article').getByText('id*, title, words').waitFor()
    await press('Edit Article')
    await dialog().getByRole('button', { name: 'Add a field' }).click()
    await dialog().getByRole('textbox', { name: 'Field name' }).last().fill('author')
    await confirm('applyType').click()
    await dialog().getByText('ADD COLUMN').waitFor()
    await confirm('applyType').click()
    await gone()
    await row('Article').getByText('author').waitFor()
    const { list } = await developer.ok(cloudDb, 'getObjectTypes', { query: { projectId } })
    expect(list[0]?.fields.map(one => one.fieldName)).toEqual(['id', ...fields.map(([name]) => name), 'author'])
    expect(list[0]?.permissions.find(one => one.role === 'World')?.rights).toContain('Read')
    await clean()
  })

  it('has its rows written, edited where they stand, refused, deleted and brought back', async () => {
    const { page } = look
    await open('data')
    await action('addRow').click()
    const given = { id: 'a1', title: awkward, words: '400', views: '9007199254740993', published: '2026-11-22 12:00' }
    for (const [name, value] of Object.entries(given))
      await dialog().getByRole('textbox', { name, exact: true }).fill(value)
    await choose(dialog(), 'isOut', 'true')
    await dialog().getByRole('textbox', { name: 'body' }).fill('One\n"Two"')
    await look.shot('cdb-row')
    await dialog().getByRole('button', { name: 'New row' }).click()
    await gone()
    await row(awkward).waitFor()
    await row('9007199254740993').waitFor()
    await edit('a1', 'words', '450')
    await row('450').waitFor()
    await edit('a1', 'words', '999', 'Escape')
    await row('450').waitFor()
    await edit('a1', 'words', 'many')
    await page.getByText(/words/).filter({ visible: true }).last().waitFor()
    await look.shot('cdb-refused')
    expect(await page.getByRole('textbox', { name: 'words' }).inputValue()).toBe('many')
    await page.keyboard.press('Escape')
    await cell('a1', 'isOut').click()
    await choose(dialog(), /isOut true/, 'false')
    await press('Save')
    await row('false').waitFor()
    await cell('a1', 'title').click()
    const title = page.getByRole('textbox', { name: 'title', exact: true })
    await developer.ok(cloudDbObjects, 'putObject', {
      body: { ...where(), operation: 'UPDATE', object: { id: 'a1', title: 'By somebody else' } },
    })
    await title.fill('Mine')
    await page.keyboard.press('Enter')
    await page.getByText(/have changed meanwhile/).waitFor()
    await look.shot('cdb-conflict')
    await title.press('Escape')
    await row('By somebody else').waitFor()
    await edit('a1', 'title', awkward)
    await row(awkward).waitFor()
    expect(await stored('a1')).toMatchObject([
      { id: 'a1', title: awkward, words: 450, views: '9007199254740993', isOut: false, body: 'One\n"Two"' },
    ])
    await clean()
  })

  it('is asked by conditions that are put together, and says which index a question lacks', async () => {
    const { page } = look
    const body = { ...where(), operation: 'UPSERT' as const }
    for (let at = 0; at < 60; at++) {
      const object = { id: `b${String(at).padStart(2, '0')}`, title: `Row ${at}`, words: at, isOut: at % 2 === 0 }
      await developer.ok(cloudDbObjects, 'putObject', { body: { ...body, object } })
    }
    await open('data')
    await page.getByRole('button', { name: 'Next page' }).click()
    await row('Row 30').waitFor()
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    const query = page.locator('.cdb-lines').first()
    const add = async (field: string, how: string, value: string) => {
      await page.getByRole('button', { name: 'Add a condition' }).click()
      const line = query
        .locator('.cdb-line')
        .filter({ has: page.getByRole('button', { name: 'Remove the condition' }) })
        .last()
      await choose(line, /^Field/, field)
      await choose(line, /^Comparison/, how)
      if (field === 'isOut') await choose(line, /^Value/, value)
      else await line.getByRole('textbox').fill(value)
    }
    await add('words', 'at least', '20')
    await add('title', 'begins with', 'Row 2')
    await add('isOut', 'is not', 'false')
    await look.shot('cdb-query')
    await choose(query, /^Order by/, 'words')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await row('Row 28').waitFor()
    const shown = await page.getByRole('row').filter({ hasText: /Row / }).allTextContents()
    expect(shown.map(text => /Row (\d\d)/.exec(text)?.[1])).toEqual(['20', '22', '24', '26', '28'])
    await developer.ok(cloudDb, 'createObjectType', {
      body: {
        projectId,
        objectType: {
          objectTypeName: 'Line',
          fields: [
            { fieldName: 'no', fieldType: 'Integer', belongPrimaryKey: true },
            { fieldName: 'words', fieldType: 'String' },
          ],
          indexes: [],
          permissions: [],
        },
      },
    })
    await loggia.sql(
      'cn',
      `INSERT INTO "cdb_${BigInt(projectId).toString(36)}_main".o_line
        (no, words, naturalbase_version, naturalbase_operationtime)
        SELECT g, 'words ' || g, g, 0 FROM generate_series(1, 25000) g`,
    )
    await open('data&type=Line')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await add('words', 'ends with', '7')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('Add an index to Line: ').waitFor()
    await look.speak('ru')
    await page.getByText('Добавьте типу Line индекс: ').waitFor()
    await look.speak('en')
    await look.shot('cdb-unindexed')
    await clean()
  })

  it('has rows deleted after a question, and kept in the bin where there is one', async () => {
    const { page } = look
    await open('data')
    const before = await total()
    await page.getByRole('checkbox', { name: 'b01', exact: true }).check()
    await action('deleteRows').click()
    await dialog().getByText('gone for good').waitFor()
    await look.shot('cdb-remove')
    await confirm('removeRows').click()
    await gone()
    await developer.ok(cloudDb, 'setRetentionPeriod', { body: { projectId, enabled: true, days: 7 } })
    await open('data')
    await page.getByRole('checkbox', { name: 'b02', exact: true }).check()
    await action('deleteRows').click()
    await dialog().getByText('for 7 days').waitFor()
    await confirm('removeRows').click()
    await gone()
    await page.getByRole('checkbox', { name: 'Recycle bin' }).click()
    await page.getByRole('checkbox', { name: 'b02', exact: true }).check()
    await page.getByRole('button', { name: 'Bring back' }).click()
    await page.getByText('The bin is empty').waitFor()
    await look.shot('cdb-bin')
    await expect.poll(total).toBe(before - 1)
    await clean()
  })

  it('takes rows from a file after a trial, tells of each that it refused, and gives them as a file', async () => {
    const { page } = look
    const file = path.join(folder, 'rows.csv')
    writeFileSync(
      file,
      `id,title,words,isOut\nc1,"${awkward.replaceAll('"', '""')}",1,true\nc2,Second,none,false\nc3,Third,3,perhaps\n`,
    )
    await open('transfers')
    const bring = async (isTrial: boolean) => {
      await action('import').click()
      await page.locator('input[type=file]').setInputFiles(file)
      await dialog().getByRole('checkbox').setChecked(isTrial)
      await look.shot('cdb-import')
      await confirm('import').click()
      await gone()
      await page.getByRole('row').nth(1).getByText('done').waitFor()
      await page.getByRole('button', { name: /^Show/ }).first().click()
      await dialog().getByText('Added 1, updated 0, refused 2').waitFor()
      await dialog().getByRole('row').filter({ hasText: 'words' }).waitFor()
      await dialog().getByRole('row').filter({ hasText: 'isOut' }).waitFor()
      await look.shot('cdb-report')
      await page.keyboard.press('Escape')
      await gone()
    }
    await bring(true)
    expect(await stored('c1')).toEqual([])
    await bring(false)
    expect(await stored('c1')).toMatchObject([{ title: awkward, words: 1, isOut: true }])
    await action('export').click()
    await choose(dialog(), /^Object types/, 'Article')
    await page.keyboard.press('Escape')
    await confirm('export').click()
    await gone()
    await page.getByRole('row').filter({ hasText: 'Export' }).getByText('done').waitFor()
    await page.getByRole('button', { name: /^Show/ }).first().click()
    const saved = page.waitForEvent('download')
    await dialog().getByRole('button', { name: 'Download file 1' }).click()
    const text = readFileSync(await (await saved).path(), 'utf8')
    expect(text).toContain(JSON.stringify(awkward).slice(1, -1))
    await page.keyboard.press('Escape')
    await clean()
  })

  it('shows who listens while they do, and what was read and written', async () => {
    const { page } = look
    await developer.ok(authSettings, 'createMethod', { body: { projectId, provider: 0, enabled: true } })
    const device = await openAppOnDevice(developer, projectId, 'Reader')
    const user = await device.send('/user-signin-anonymous', { provider: 0, token: 'aaid', useJwt: 1 })
    const { token } = user['accessToken'] as { token: string }
    const headers = { authorization: `Bearer ${device.clientToken}`, access_token: token, productid: projectId }
    await open('live')
    await page.getByText('Nobody listens now').waitFor()
    const lines = [1, 2, 3].map(
      () => new WebSocket(`${loggia.url.replace('http', 'ws')}/agc/apigw/clouddb/subscribe`, { headers }),
    )
    for (const line of lines)
      line.on('open', () =>
        line.send(JSON.stringify({ op: 'SUB', subId: 's', zone: 'main', type: 'Article', queryConditions: [] })),
      )
    const group = row('main / Article')
    await group.getByRole('cell', { name: '3', exact: true }).first().waitFor()
    await look.shot('cdb-live')
    for (const line of lines) line.close()
    await page.getByText('Nobody listens now').waitFor()
    await page.getByRole('tab', { name: 'Usage' }).click()
    await row('Article').waitFor()
    await look.shot('cdb-usage')
    const { writes } = await developer.ok(cloudDb, 'fetchDataUsage', { query: { projectId, days: 30 } })
    expect(writes).toBeGreaterThan(60)
    await page.getByText(writes.toLocaleString('en'), { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'Object types' }).click()
    await press('Delete Article')
    await dialog()
      .getByText(/rows go with it/)
      .waitFor()
    await dialog().getByRole('textbox').fill('Article')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await gone()
    await press('Bring back Article')
    await row('id*, title').waitFor()
    await clean()
  })
})

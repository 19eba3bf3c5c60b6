import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { functionTesting } from '../src/services/build/functions/testing/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

let loggia: Loggia
let look: Look
let owner: Visitor
let projectId: string
beforeAll(async () => {
  if (!hasBrowser) return
  loggia = await Loggia.start()
  owner = await loggia.signIn('developer')
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Runtimes' } })).projectId
  look = await startLook({ origin: loggia.url })
  await look.signInAs(...loggia.accountOf('developer'))
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
})

describe.skipIf(!hasBrowser)('the runtime of a new function', () => {
  it('is chosen among those that are there, and stands with the function', async () => {
    const { page } = look
    const { runtimes } = await owner.ok(functionsIde, 'listRuntimes', {})
    await look.open(`/functions?projectId=${projectId}&zone=CN`)
    await page.locator('[data-action="create"]').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('greeter')
    for (const { label, isThere, install } of runtimes) {
      const choice = dialog.getByRole('radio', { name: label })
      await choice.waitFor()
      expect(await choice.isDisabled()).toBe(!isThere)
      if (install) await dialog.getByText(install).waitFor()
    }
    for (const language of ['ru', 'zh', 'en'] as const) {
      await look.speak(language)
      await dialog.getByRole('radio').first().waitFor()
      for (const { why } of runtimes) if (why) expect(await dialog.getByText(why).count()).toBe(0)
      await look.shot(`runtimes-${language}`)
    }
    await look.checkAccess()
    await look.shot('runtimes-wide')
    await look.wear({ width: 390, height: 844, isDark: true })
    await look.checkAccess()
    await look.shot('runtimes-narrow')
    await look.wear({ width: 1440, height: 900, isDark: false })
    const wanted = runtimes.findLast(one => one.isThere && one.id !== 'image')
    await dialog.getByRole('radio', { name: wanted?.label ?? '' }).check()
    await dialog.locator('[data-confirm="create"]').click()
    await page.locator('#page h1', { hasText: 'greeter' }).waitFor()
    await page
      .locator('#page .lg-status', { hasText: wanted?.label ?? '' })
      .first()
      .waitFor()
    await look.shot('runtimes-page')
    const { list } = await owner.ok(functionsIde, 'listFunctions', { query: { projectId } })
    expect(list.map(one => one.config.runtime)).toEqual([wanted?.id])
    await look.checkClean()
  })
})

describe.skipIf(!hasBrowser)('what a function writes', () => {
  it('is shown while it runs, found by a word, and stays when it is paused', async () => {
    const { page } = look
    const content = `exports.handler = async ({ order }) => {
      console.log('packing order ' + order)
      if (order === 3) throw new Error('order 3 has no address')
      console.warn('little paper left')
    }`
    const files = [{ path: 'index.js', content, encoding: 'utf8' as const }]
    const { functionId } = await owner.ok(functionsIde, 'createFunctionWithCode', {
      body: { projectId, functionName: 'packing', files },
    })
    const pack = (order: number) =>
      owner.ok(functionTesting, 'testFunction', {
        params: { a: 'packing', b: '$latest' },
        query: { projectId },
        body: { event: { order } },
      })
    await look.open(`/functions/${functionId}?projectId=${projectId}&zone=CN&tab=calls`)
    const looked = page.waitForResponse(/\/live/)
    await page.locator('[data-action="watch"]').click()
    await looked
    for (const order of [1, 2, 3]) await pack(order)
    const log = page.getByRole('log', { name: 'Live' })
    await log.getByText('order 3 has no address').waitFor()
    for (const text of ['packing order 1', 'packing order 2', 'packing order 3'])
      await log.getByText(text, { exact: true }).waitFor()
    for (const width of [390, 1440]) {
      await look.wear({ width, height: 1200, isDark: width === 390 })
      await log.scrollIntoViewIfNeeded()
      await look.shot(`function-live-${width}`)
      await look.checkAccess()
    }
    await page.getByRole('button', { name: 'Warnings' }).click()
    await log.getByText('packing order 1').waitFor({ state: 'detached' })
    await log.getByText('little paper left').first().waitFor()
    await page.locator('[data-action="watch"]').click()
    await pack(4)
    await page.getByRole('searchbox', { name: 'Filter by a word or a request' }).fill('no address')
    await log.getByText('little paper left').first().waitFor({ state: 'detached' })
    expect(await log.getByRole('listitem').count()).toBe(1)
    await look.checkClean()
  })

  it('stays with its versions, and one that is deleted is asked for by its number', async () => {
    const { page } = look
    const { list } = await owner.ok(functionsIde, 'listFunctions', { query: { projectId } })
    const functionId = list.find(one => one.functionName === 'packing')?.functionId ?? ''
    const { version } = await owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
    await look.open(`/functions/${functionId}?projectId=${projectId}&zone=CN&tab=versions`)
    await page.locator('[data-action="delete-version"]').click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete' })
    expect(await button.isDisabled()).toBe(true)
    await look.checkAccess()
    await dialog.getByRole('textbox').fill(version)
    await button.click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('[data-action="delete-version"]').waitFor({ state: 'detached' })
    await look.checkClean()
  })
})

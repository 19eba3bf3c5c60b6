import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionsIde } from '../src/services/build/functions/contract.ts'
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
  const { loginName, password } = loggia.signIns()['developer'] ?? { loginName: '', password: '' }
  await look.signInAs(loginName, password)
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
    for (const { label, isThere, why } of runtimes) {
      const choice = dialog.getByRole('radio', { name: label })
      await choice.waitFor()
      expect(await choice.isDisabled()).toBe(!isThere)
      if (why) await dialog.getByText(why).waitFor()
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { noPodman, openPodman } from '../src/services/build/functions/engine/containers/containers.testkit.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const isHere = hasBrowser && noPodman === null
let loggia: Loggia
let look: Look
let owner: Visitor
let projectId: string
let pod: Awaited<ReturnType<typeof openPodman>>
beforeAll(async () => {
  if (!isHere) return
  pod = await openPodman()
  loggia = await Loggia.start({ LOGGIA_CONTAINERS: pod.engine.address })
  owner = await loggia.signIn('developer')
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Images' } })).projectId
  look = await startLook({ origin: loggia.url })
  await look.signInAs(...loggia.accountOf('developer'))
}, 180_000)
afterAll(async () => {
  await look?.close()
  await loggia?.close()
  await pod?.close()
}, 60_000)

const title = noPodman === null ? 'a function from an image' : `a function from an image (skipped: ${noPodman})`
describe.skipIf(!isHere)(title, () => {
  it('is made in the dialog, and its page shows the image', async () => {
    const { page } = look
    await look.open(`/functions?projectId=${projectId}&zone=CN`)
    await page.locator('[data-action="create"]').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('contained')
    await dialog.getByRole('radio', { name: 'Custom image' }).check()
    await dialog.getByLabel('Image', { exact: true }).fill('answers')
    await dialog.getByText('Begin with the registry').waitFor()
    expect(await dialog.locator('[data-confirm="create"]').isDisabled()).toBe(true)
    await dialog.getByLabel('Image', { exact: true }).fill('localhost/answers:1')
    await look.checkAccess()
    await look.shot('image-dialog')
    await dialog.locator('[data-confirm="create"]').click()
    await page.locator('#page h1', { hasText: 'contained' }).waitFor()
    await page.getByText('sha256:').first().waitFor()
    await look.checkAccess()
    await look.shot('image-wide')
    await look.wear({ width: 390, height: 844, isDark: true })
    await look.checkAccess()
    await look.shot('image-narrow')
    const { list } = await owner.ok(functionsIde, 'listFunctions', { query: { projectId } })
    expect(list.map(one => [one.config.runtime, one.config.image?.reference])).toEqual([
      ['image', 'localhost/answers:1'],
    ])
    await look.checkClean()
  })
})

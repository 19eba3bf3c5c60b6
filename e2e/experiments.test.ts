import { afterAll, beforeAll, describe, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { fillRemoteConfig, openEvents, runExperiment, type Tell } from './growing.ts'
import { Loggia } from './loggia.ts'

let loggia: Loggia
let look: Look
let tell: Tell
let experimentId: string
let projectId: string

beforeAll(async () => {
  loggia = await Loggia.start()
  const developer = await loggia.signIn('administrator')
  projectId = (await developer.ok(projects, 'createProject', { body: { name: 'Experiments' } })).projectId
  await fillRemoteConfig(developer, projectId)
  tell = await openEvents(developer, projectId)
  await tell([{ name: 'purchase', unit: 'somebody', value: 4.5 }])
  experimentId = await runExperiment(developer, projectId, tell)
  if (!hasBrowser) return
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900 })
  const { loginName, password } = loggia.signIns()['administrator']!
  await look.signInAs(loginName, password)
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
})

describe.runIf(hasBrowser)('the report of an experiment', () => {
  it('shows the numbers of each analysis that is asked for, the moment it is done', async () => {
    const { page } = look
    await look.open(`/experiments/${experimentId}?projectId=${projectId}&zone=CN&tab=report`)
    await page.getByText('No numbers yet').waitFor()
    await page.locator('[data-action=analyse]').click()
    const units = (count: number) => page.getByRole('table').getByText(`${count} units`).first().waitFor()
    await units(120)
    for (const more of [1, 2]) {
      const variants = ['control', 'short'].map(variant => ({ variant, unit: `late-${more}-${variant}` }))
      await tell(variants.map(one => ({ ...one, name: '$exposure', experiment: experimentId })))
      await page.locator('[data-action=analyse]:not([disabled])').click()
      await units(120 + more)
    }
    await look.checkAccess()
    await look.checkClean()
  })
})

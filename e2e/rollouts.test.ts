import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { experimentMetrics } from '../src/services/grow/experiments/metrics/contract.ts'
import { rollouts } from '../src/services/grow/remote-config/rollouts/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { fillRemoteConfig } from './growing.ts'
import { Loggia, type Visitor } from './loggia.ts'

let loggia: Loggia
let developer: Visitor
let where: { projectId: string; kind: 'client' }
let look: Look

beforeAll(async () => {
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  const { projectId } = await developer.ok(projects, 'createProject', { body: { name: 'Rollouts' } })
  where = await fillRemoteConfig(developer, projectId)
  const buyers = { kind: 'proportion', event: 'purchase', of: 'count', denominator: null, quantile: null } as const
  await developer.ok(experimentMetrics, 'createMetric', {
    body: {
      ...{ projectId, name: 'Buyers' },
      definition: { ...buyers, fromHours: 0, toHours: null, cap: null, direction: 'up' },
    },
  })
  if (!hasBrowser) return
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900 })
  const { loginName, password } = loggia.signIns()['administrator']!
  await look.signInAs(loginName, password)
})
afterAll(async () => {
  await look?.close()
  await loggia?.close()
})

describe.runIf(hasBrowser)('a rollout', () => {
  const open = (more = '') => look.open(`/remote-config?projectId=${where.projectId}&zone=CN&tab=rollouts${more}`)
  const first = async () => (await developer.ok(rollouts, 'listRollouts', { query: where })).list[0]

  it('is made in a dialog that says what is wrong with its steps', async () => {
    await open()
    const { page } = look
    await page.getByText('No rollouts yet').waitFor()
    await page.locator('[data-action=createRollout]').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Warmer greeting')
    await dialog.getByRole('button', { name: /Parameter/ }).click()
    await page.getByRole('option', { name: 'welcome_text' }).click()
    await dialog.getByText('In force: Hello').waitFor()
    await dialog.getByRole('textbox', { name: 'New value' }).fill('Good to see you')
    const second = dialog.getByRole('textbox', { name: 'Step 2, Percent' })
    await second.fill('1')
    await dialog.getByText(/Step 2: the percentage/).waitFor()
    await dialog.getByRole('button', { name: /Guardrails/ }).click()
    await page.getByRole('option', { name: 'Buyers' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Remove Buyers' }).waitFor()
    await look.shot('rollout-dialog')
    await look.checkAccess()
    await second.fill('5')
    await page.locator('[data-confirm=createRollout]').click()
    await page.getByRole('list', { name: 'Steps of “Warmer greeting”' }).waitFor()
    expect(await first()).toMatchObject({
      state: 'draft',
      parameter: 'welcome_text',
      condition: null,
      srmAction: 'warn',
    })
    expect((await first())?.guardrails).toHaveLength(1)
  })

  it('is started, taken further and rolled back, each after a question', async () => {
    const { page } = look
    const ask = async (action: string) => {
      await page.locator(`[data-action=${action}]`).click()
      await page.locator(`[data-confirm=${action}]`).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await ask('start')
    await page.getByText('1 % get the new value').waitFor()
    await ask('advance')
    await page.getByText('5 % get the new value').waitFor()
    await page.getByText('waiting for data').waitFor()
    await page.locator('[data-action=lookAtRollout]').click()
    await page.getByText('0 with the value, 0 without').waitFor()
    await look.shot('rollout-running')
    await look.checkAccess()
    await ask('rollback')
    await page.getByText('0 % get the new value').waitFor()
    await page.getByRole('row', { name: /Rolled back/ }).waitFor()
    expect(await first()).toMatchObject({ state: 'rolledBack', percent: 0 })
    await look.checkClean()
  })

  it.each(['zh', 'ru'] as const)('fits on a small screen, in %s too', async language => {
    const small = await startLook({ origin: loggia.url, language, width: 390, height: 844 })
    const { loginName, password } = loggia.signIns()['administrator']!
    await small.signInAs(loginName, password)
    const { rolloutId } = (await first())!
    await small.open(`/remote-config?projectId=${where.projectId}&zone=CN&tab=rollouts&rollout=${rolloutId}`)
    await small.page.getByText('Warmer greeting').first().waitFor()
    await small.shot(`rollout-small-${language}`)
    await small.checkAccess()
    await small.checkClean()
    await small.close()
  })
})

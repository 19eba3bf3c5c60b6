import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { experiments } from '../src/services/grow/experiments/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { fillRemoteConfig, openEvents, runExperiment, type Tell } from './growing.ts'
import { Loggia, type Visitor } from './loggia.ts'

let loggia: Loggia
let look: Look
let tell: Tell
let developer: Visitor
let experimentId: string
let projectId: string

beforeAll(async () => {
  loggia = await Loggia.start()
  developer = await loggia.signIn('administrator')
  projectId = (await developer.ok(projects, 'createProject', { body: { name: 'Experiments' } })).projectId
  await fillRemoteConfig(developer, projectId)
  tell = await openEvents(developer, projectId)
  await tell([{ name: 'purchase', unit: 'somebody', value: 4.5 }])
  experimentId = await runExperiment(developer, projectId, tell)
  if (!hasBrowser) return
  look = await startLook({ origin: loggia.url, language: 'en', width: 1440, height: 900 })
  await look.signInAs(...loggia.accountOf('administrator'))
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

describe.runIf(hasBrowser)('an experiment', () => {
  it('is made of a metric, designed step by step, run, stopped and concluded', async () => {
    const { page } = look
    const { projectId: own } = await developer.ok(projects, 'createProject', { body: { name: 'By hand' } })
    await fillRemoteConfig(developer, own)
    await (await openEvents(developer, own))([{ name: 'purchase', unit: 'somebody', value: 4.5 }])
    const open = (tab: string) => look.open(`/experiments?projectId=${own}&zone=CN&tab=${tab}`)
    const dialog = page.getByRole('dialog')
    const press = (action: string) => page.locator(`[data-action=${action}]`).first().click()
    const named = async (name: string, action: string) => {
      await press('create')
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      if (action === 'save-metric') await dialog.getByRole('combobox').first().fill('purchase')
      await page.keyboard.press('Tab')
      await page.locator(`[data-confirm=${action}]`).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const choose = async (field: RegExp, option: RegExp) => {
      await page.getByRole('button', { name: field }).first().click()
      await page.getByRole('option', { name: option }).click()
      await page.keyboard.press('Escape')
    }
    await open('metrics')
    await named('Buyers', 'save-metric')
    await page.getByRole('row', { name: /Buyers/ }).waitFor()
    await open('experiments')
    await named('Short checkout', 'create-experiment')
    await page.locator('#page h1', { hasText: 'Short checkout' }).waitFor()
    await page.locator('textarea').first().fill('A checkout on one page makes more people buy.')
    const next = page.getByRole('button', { name: 'Next' })
    await next.click()
    await choose(/Parameters/, /checkout_v2/)
    await page.locator('textarea').nth(1).fill('true')
    for (const _step of ['audience', 'metrics']) await next.click()
    await choose(/Goal/, /Buyers/)
    await next.click()
    await page.getByRole('button', { name: 'Save' }).click()
    // What was saved is another revision, and its wizard begins at the first step.
    await next.waitFor()
    // Where an answer takes its time, what follows waits for it: it would be asked of a revision that is gone.
    await page.route('**/resume', async route => {
      await delay(1500)
      await route.continue()
    })
    for (const action of ['validate', 'start', 'pause', 'resume', 'stop']) await press(action)
    await dialog.getByRole('textbox').fill('Short checkout')
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await press('conclude')
    await dialog.getByRole('radio').last().check()
    await dialog.getByRole('textbox').last().fill('Too few people')
    await dialog.locator('[data-confirm]').click()
    await press('archive')
    await page.locator('[data-action=archive]').waitFor({ state: 'detached' })
    const { list } = await developer.ok(experiments, 'listExperiments', { query: { projectId: own } })
    expect(list).toMatchObject([{ state: 'archived', outcome: 'inconclusive', parameters: ['checkout_v2'] }])
    await look.checkAccess()
    await look.checkClean()
  })
})

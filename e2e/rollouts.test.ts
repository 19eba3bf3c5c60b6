import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { experimentMetrics } from '../src/services/grow/experiments/metrics/contract.ts'
import { rollouts } from '../src/services/grow/remote-config/rollouts/contract.ts'
import { remoteConfigSettings } from '../src/services/grow/remote-config/settings/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { fillRemoteConfig, openConfig, openEvents } from './growing.ts'
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
  await look.signInAs(...loggia.accountOf('administrator'))
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

  const ask = async (action: string, reason = '') => {
    const { page } = look
    await page.locator(`[data-action=${action}]`).click()
    if (reason !== '') await page.getByRole('dialog').getByRole('textbox').last().fill(reason)
    await page.locator(`[data-confirm=${action}]`).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const shots = async (name: string) => {
    for (const width of [390, 1440]) {
      await look.wear({ width, height: 900, isDark: width === 390 })
      await look.shot(`${name}-${width}`)
      await look.checkAccess()
    }
  }

  it('is changed in the same dialog while it is a draft', async () => {
    const { page } = look
    await page.locator('[data-action=edit]').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'New value' }).fill('Nice to see you')
    await dialog.getByRole('button', { name: 'Remove step 3' }).click()
    await page.locator('[data-confirm=edit]').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Nice to see you').waitFor()
    await page.getByRole('row', { name: /Draft edited/ }).waitFor()
    expect(await first()).toMatchObject({ value: 'Nice to see you', parameter: 'welcome_text' })
    expect((await first())?.steps.map(step => step.percent)).toEqual([1, 5, 25, 50, 100])
  })

  it('is started, taken further and rolled back, each after a question', async () => {
    const { page } = look
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

  it('waits for others where the project asks for them, who agree on its page; or is started without them with a reason', async () => {
    const { page } = look
    const { projectId } = where
    await developer.ok(remoteConfigSettings, 'putSettings', {
      body: { projectId, minFetchIntervalSec: 60, approvals: 1 },
    })
    const { rolloutId } = (await first())!
    await open(`&rollout=${rolloutId}`)
    await ask('askStart', 'Sales like it')
    await page.getByText('The start waits for others to agree').waitFor()
    await page.getByRole('row', { name: /Asked to start/ }).waitFor()
    expect(await page.locator('[data-action=agree]').count()).toBe(0)
    await shots('rollout-asked')
    const made = 'UPDATE rcs_rollouts SET created_by = NULL, written_by = NULL WHERE rollout_id = $1'
    const asked = 'UPDATE rcs_rollout_changes SET actor_id = NULL WHERE rollout_id = $1'
    const asThoughAColleagueAsked = async () => {
      for (const text of [made, asked]) await loggia.sql('cn', text, [rolloutId])
      await open(`&rollout=${rolloutId}`)
    }
    await asThoughAColleagueAsked()
    await ask('refuse', 'Not before Monday')
    await page.getByRole('row', { name: /Refused.*Not before Monday/ }).waitFor()
    await ask('askStart', 'It is Monday')
    await asThoughAColleagueAsked()
    await ask('agree')
    await page.getByText('1 % get the new value').waitFor()
    expect(await first()).toMatchObject({ state: 'running', asked: null })
    await ask('rollback')
    await ask('start', 'The shop is on fire')
    await page.getByText('without the agreement of others').waitFor()
    expect(await first()).toMatchObject({ state: 'running', asked: null })
    await shots('rollout-forced')
    await look.checkClean()
    await developer.ok(remoteConfigSettings, 'putSettings', {
      body: { projectId, minFetchIntervalSec: 60, approvals: 0 },
    })
    await ask('rollback')
  })

  it('is rolled back by a guardrail that failed, which its page shows', async () => {
    const { page } = look
    const { projectId } = where
    const { guardrails } = (await first())!
    const made = await developer.ok(rollouts, 'createRollout', {
      body: {
        ...{ ...where, name: 'Short greeting', parameter: 'welcome_text', value: 'Hi', guardrails },
        steps: [{ percent: 50, holdMs: null }],
      },
    })
    const params = { rolloutId: made.rolloutId }
    await developer.ok(rollouts, 'startRollout', { params, body: { revision: made.revision } })
    const fetchAs = await openConfig(developer, projectId)
    const tell = await openEvents(developer, projectId)
    const told = await Promise.all(
      Array.from({ length: 400 }, async (_one, at) => {
        const unit = `user-${at}`
        const [seen] = await fetchAs({ targetingKey: unit })
        return { unit, variant: seen?.variant ?? 'out', experiment: seen?.id ?? '' }
      }),
    )
    await tell(told.map(one => ({ name: '$exposure', ...one })))
    await tell(
      told
        .filter((one, at) => at % 10 < (one.variant === 'in' ? 1 : 8))
        .map(({ unit }) => ({ name: 'purchase', unit })),
    )
    await open(`&rollout=${made.rolloutId}`)
    await page.locator('[data-action=lookAtRollout]').click()
    await page.getByText('0 % get the new value').waitFor()
    await page.getByText('failed', { exact: true }).waitFor()
    await page.getByRole('row', { name: /Rolled back.*by a guardrail/ }).waitFor()
    await shots('rollout-failed')
    await look.checkClean()
  })

  it.each(['zh', 'ru'] as const)('fits on a small screen, in %s too', async language => {
    const small = await startLook({ origin: loggia.url, language, width: 390, height: 844 })
    await small.signInAs(...loggia.accountOf('administrator'))
    const { rolloutId } = (await first())!
    await small.open(`/remote-config?projectId=${where.projectId}&zone=CN&tab=rollouts&rollout=${rolloutId}`)
    await small.page.getByText('Short greeting').first().waitFor()
    for (const width of [390, 1440]) {
      await small.wear({ width, height: 1_400, isDark: width === 1440 })
      await small.shot(`rollout-${language}-${width}`)
    }
    await small.checkAccess()
    await small.checkClean()
    await small.close()
  })
})

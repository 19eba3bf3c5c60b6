import { createHash } from 'node:crypto'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { microPercent, variantAt } from '../src/kernel/targeting/bucket.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { audiences } from '../src/services/grow/targeting/audiences/contract.ts'
import { ruleSets } from '../src/services/grow/targeting/rule-sets/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { openEvents } from './growing.ts'
import { firstSignIns, Loggia, type Visitor } from './loggia.ts'

const words = ['user', 'ü', '用户', '😀', 'Zoë', '']
const idOf = (at: number) => `${words[at % words.length]}-${at}`

describe.skipIf(!hasBrowser)(
  hasBrowser ? 'targeting in a browser' : 'targeting in a browser (skipped: apt-get install chromium)',
  () => {
    let loggia: Loggia
    let developer: Visitor
    let look: Look
    let projectId: string

    beforeAll(async () => {
      loggia = await Loggia.start()
      developer = await loggia.signIn('administrator')
      projectId = (await developer.ok(projects, 'createProject', { body: { name: 'Shop' } })).projectId
      look = await startLook({ origin: loggia.url })
      const { loginName, password } = firstSignIns(loggia.dataDir)['administrator']!
      await look.signInAs(loginName, password)
    })
    afterAll(async () => {
      await look?.close()
      await loggia?.close()
    })

    it('puts a hundred thousand ids where the server puts them', async () => {
      const root = new URL('..', import.meta.url).pathname
      const built = (await build({
        configFile: false,
        logLevel: 'silent',
        build: {
          write: false,
          lib: {
            entry: `${root}src/kernel/targeting/bucket.ts`,
            formats: ['iife'],
            name: 'bucket',
            fileName: 'bucket',
          },
        },
      })) as { output: { code: string }[] }[]
      const code = built[0]?.output[0]?.code ?? ''
      const there = await look.page.evaluate<string>(`${code};
        (words => Array.from({ length: 100000 }, (_, at) => words[at % words.length] + '-' + at)
          .map(id => bucket.microPercent('rollout', 'seed', id) + ' ' + bucket.variantAt('variant', 'seed', id, [1, 2, 7]))
          .join('\\n'))(${JSON.stringify(words)})`)
      const here = Array.from({ length: 100_000 }, (_, at) => idOf(at))
        .map(id => `${microPercent('rollout', 'seed', id)} ${variantAt('variant', 'seed', id, [1, 2, 7])}`)
        .join('\n')
      const digest = (text: string) => createHash('sha256').update(text).digest('hex')
      expect(there.split('\n')).toHaveLength(100_000)
      expect(digest(there)).toBe(digest(here))
    })

    it('builds a rule, says at once why it matches, publishes it, and the call answers the same', async () => {
      const { ruleSetId, code } = await developer.ok(ruleSets, 'createRuleSet', {
        body: { projectId, code: 'checkout.offers', name: 'Offers at the checkout' },
      })
      const { page } = look
      await look.open(`/targeting/rule-sets/${ruleSetId}?projectId=${projectId}`)
      await page.locator('[data-action="add-rule"]').click()
      await page.locator('[data-action="add-condition"]').first().click()
      await page.getByRole('combobox', { name: 'Attribute' }).fill('country')
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'Value', exact: true }).fill('DE')
      await page.getByText('First match: priority 1').waitFor()
      await look.checkAccess()
      await page.locator('[data-action="save"]').click()
      await page.locator('[data-action="publish"]:not([disabled])').click()
      await page.locator('[data-confirm="publish"]').click()
      await page.getByText('Version 1 in force').first().waitFor()
      const answer = await developer.ok(ruleSets, 'matchRules', {
        body: { ruleSetCode: code, context: { country: 'DE' } },
      })
      expect(answer.first).toMatchObject({ priority: 1 })
      await look.checkClean()
    })

    it('shows audiences, and takes a file of ids', async () => {
      const { audienceId } = await developer.ok(audiences, 'createAudience', { body: { projectId, name: 'Friends' } })
      await look.open(`/targeting/audiences/${audienceId}?projectId=${projectId}`)
      const buffer = Buffer.from('ann\nbob\nann\n')
      await look.page.locator('input[type=file]').setInputFiles({ name: 'ids.csv', mimeType: 'text/csv', buffer })
      await look.page.getByText('2 different ids read, 1 repeated').waitFor()
      await look.page.getByText('ann', { exact: true }).waitFor()
      await look.checkAccess()
      await look.checkClean()
    })

    it('makes an audience of who did something, of events that an app reported', async () => {
      const tell = await openEvents(developer, projectId)
      await tell([
        { name: 'purchase', unit: 'ada', value: 20, props: { country: 'DE' } },
        { name: 'purchase', unit: 'lin', value: 5, props: { country: 'FR' } },
        { name: 'app_open', unit: 'eve' },
      ])
      const nobody = { op: 'or' as const, args: [{ attr: 'email', op: 'eq' as const, value: 'nobody@one.example' }] }
      const { audienceId } = await developer.ok(audiences, 'createAudience', {
        body: { projectId, name: 'Buyers', rule: nobody },
      })
      const { page } = look
      await look.open(`/targeting/audiences/${audienceId}?projectId=${projectId}`)
      await page.locator('[data-action="add-other-condition"]').click()
      await page.getByText('Name an event.').waitFor()
      const event = page.getByRole('combobox', { name: 'Event' })
      await event.fill('purchas')
      await page.getByText('No event of this name came in the last 90 days.').waitFor()
      await page.getByRole('option', { name: 'purchase' }).click()
      await page.getByText('No event of this name came').waitFor({ state: 'detached' })
      await page.locator('[data-action="add-filter"]').click()
      await page.getByRole('combobox', { name: 'Property' }).fill('country')
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'Value', exact: true }).last().fill('DE')
      await page.getByText('1 of 3 users match.').waitFor()
      for (const width of [390, 1440]) {
        await look.wear({ width, height: 900, isDark: width === 390 })
        await event.scrollIntoViewIfNeeded()
        await look.shot(`targeting-behaviour-${width}`)
        await look.checkAccess()
      }
      await page.locator('[data-action="save"]').click()
      await page.getByRole('table', { name: 'Members' }).getByText('ada', { exact: true }).waitFor()
      await page.getByText('Next update', { exact: true }).waitFor()
      const { list } = await developer.ok(audiences, 'listMembers', { params: { audienceId } })
      expect(list.map(one => one.unit)).toEqual(['ada'])
      await page.getByText('Since yesterday').waitFor()
      await page.locator('[data-action="refresh"]:not([disabled])').click()
      const chart = page.getByRole('application', { name: 'Size over time' })
      await chart.waitFor()
      for (const width of [390, 1440]) {
        await look.wear({ width, height: 900, isDark: width === 390 })
        await chart.scrollIntoViewIfNeeded()
        await look.shot(`targeting-sizes-${width}`)
        await look.checkAccess()
      }
      await look.checkClean()
    })
  },
)

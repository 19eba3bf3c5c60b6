import { appChecks } from '../src/services/distribute/app-check/contract.ts'
import { lifecycle } from '../src/services/distribute/lifecycle/contract.ts'
import { lifecycleDesk } from '../src/services/distribute/lifecycle/desk/contract.ts'
import { reviewPolicies } from '../src/services/distribute/review/policies/contract.ts'
import { until, type Visitor } from './loggia.ts'

const day = 86_400_000

/** What the store keeps for developers, a rule in its second version, and what was looked at before the store does. */
export async function lookBefore(
  owner: Visitor,
  reviewer: Visitor,
  appId: string,
  pkgId: string | undefined,
): Promise<{ checkId: string | null }> {
  const now = Date.now()
  const rows = [
    {
      kind: 'VANTEST',
      titles: { zh: '春季众测', en: 'Spring crowd test', ru: 'Весенний тест' },
      startAt: now - day,
      endAt: now + 9 * day,
    },
    {
      kind: 'DEMO',
      titles: { zh: '推送示例', en: 'Push messages', ru: 'Сообщения' },
      link: 'https://example.com/demo',
    },
    {
      kind: 'COPYRIGHT',
      titles: { zh: '软件著作权', en: 'Software copyright', ru: 'Авторское право' },
      countries: ['CN'],
    },
    { kind: 'ALPHA', titles: { zh: '外观', en: 'Looks', ru: 'Внешний вид' } },
  ] as const
  for (const row of rows) {
    const countries = 'countries' in row ? [...row.countries] : []
    await reviewer.ok(lifecycleDesk, 'saveRow', { body: { ...row, countries, texts: row.titles, isShown: true } })
  }
  const { list } = await reviewer.ok(reviewPolicies, 'listPolicies', {})
  const { policyId, titles, texts } = list.find(one => one.policyId === '2.2')!
  await reviewer.ok(reviewPolicies, 'publishPolicy', { body: { policyId, titles, texts, after: 1 } })
  await owner.ok(lifecycle, 'detectContext', {
    body: {
      texts: [{ text: 'The best app with a casino!!! Write to me@example.com', field: 'appDesc', language: 'en' }],
    },
  })
  const { criteria } = await owner.ok(lifecycle, 'getAlphaRating', { query: { appId } })
  const scores = Object.fromEntries(criteria.map(one => [one.rowId, 4]))
  await owner.ok(lifecycle, 'rateAlpha', { body: { appId, scores, note: 'It shines.' } })
  if (pkgId === undefined) return { checkId: null }
  await owner.ok(lifecycle, 'detectFit', { params: { appId } })
  const { checkId } = await owner.ok(appChecks, 'createCheck', { body: { appId, pkgId } })
  await until('the check', async () => {
    const { finishedAt } = await owner.ok(appChecks, 'getCheck', { query: { checkId } })
    return finishedAt
  })
  return { checkId }
}

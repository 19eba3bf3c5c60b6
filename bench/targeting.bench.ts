import { GrowthBook } from '@growthbook/growthbook'
import { murmur3 } from '../src/kernel/targeting/bucket.ts'
import { compile } from '../src/kernel/targeting/evaluate.ts'
import type { Rule } from '../src/kernel/targeting/rule.ts'

/**
 * Rules of targeting in process: a country, a version, a rollout. Beside it the same question written by hand, which is as fast
 * as the hash allows, and the same rule as a feature of the unmodified GrowthBook client.
 */
const wanted = 400_000
const rule: Rule = {
  op: 'and',
  args: [
    { attr: 'country', op: 'in', value: ['DE', 'AT', 'CH'] },
    { attr: 'plan', op: 'ne', value: 'free' },
    { attr: 'age', op: 'gte', value: 18 },
    { attr: 'userId', op: 'percent', value: { ns: 'rollout', seed: 'bench', unitAttr: 'userId', lo: 0, hi: 50 } },
  ],
}
const contexts = Array.from({ length: 1000 }, (_one, at) => ({
  attributes: { userId: `user-${at}`, country: at % 10 === 0 ? 'US' : 'DE', plan: 'paid', age: 18 + (at % 50) },
  now: 1_700_000_000_000,
}))

/** The middle of seven runs, questions a second. */
function rateOf(ask: (at: number) => boolean): { rate: number; yes: number } {
  let yes = 0
  const rates = Array.from({ length: 8 }, () => {
    yes = 0
    const began = performance.now()
    for (let round = 0; round < 200; round++) for (let at = 0; at < contexts.length; at++) if (ask(at)) yes++
    return (200 * contexts.length * 1000) / (performance.now() - began)
  })
  return { rate: rates.slice(1).sort((a, b) => a - b)[3] ?? 0, yes: yes / 200 }
}

const compiled = compile(rule)
const ours = rateOf(at => compiled.matches(contexts[at] as (typeof contexts)[number]))
const countries = new Set(['DE', 'AT', 'CH'])
const byHand = rateOf(at => {
  const { userId, country, plan, age } = (contexts[at] as (typeof contexts)[number]).attributes
  if (!countries.has(country) || plan === 'free' || age < 18) return false
  return murmur3(`rollout\u001fbench\u001f${userId}`) < 2 ** 31
})
const client = new GrowthBook({
  features: {
    f: {
      defaultValue: false,
      rules: [
        {
          condition: { country: { $in: ['DE', 'AT', 'CH'] }, plan: { $ne: 'free' }, age: { $gte: 18 } },
          force: true,
          coverage: 0.5,
          hashAttribute: 'userId',
          hashVersion: 2,
        },
      ],
    },
  },
})
const theirs = rateOf(at => {
  client.setAttributes((contexts[at] as (typeof contexts)[number]).attributes)
  return client.isOn('f')
})
if (ours.yes !== byHand.yes) throw new Error(`${ours.yes} matched, ${byHand.yes} by hand`)

const thousand = (rate: number) => `${Math.round(rate / 1000)} thousand a second`
process.stdout.write(
  `rules of targeting: ${thousand(ours.rate)} (${ours.rate >= wanted ? 'within' : 'UNDER'} ${wanted / 1000}); ` +
    `written by hand ${thousand(byHand.rate)}; GrowthBook ${thousand(theirs.rate)}; ${ours.yes} of ${contexts.length} matched\n`,
)
client.destroy()

import { remoteConfig } from '../src/services/grow/remote-config/contract.ts'
import { remoteConfigReleases } from '../src/services/grow/remote-config/releases/contract.ts'
import { audiences } from '../src/services/grow/targeting/audiences/contract.ts'
import { ruleSets } from '../src/services/grow/targeting/rule-sets/contract.ts'
import type { Visitor } from './loggia.ts'

/** A template in force with two conditions, two parameters and a group, and a parameter that waits in the draft. */
export async function fillRemoteConfig(developer: Visitor, projectId: string) {
  const where = { projectId, kind: 'client' as const }
  const condition = (name: string, rule: object) =>
    developer.ok(remoteConfig, 'createCondition', { body: { ...where, name, rule } as never })
  await condition('In China', { attr: 'device.country', op: 'in', value: ['CN'] })
  await condition('A tenth of all', { op: 'percent', attr: 'targetingKey', value: { lo: 0, hi: 10 } })
  await developer.ok(remoteConfig, 'putGroup', { params: { group: 'Shop' }, body: { ...where } })
  const parameter = (key: string, more: object) =>
    developer.ok(remoteConfig, 'createParameter', { body: { ...where, key, ...more } as never })
  await parameter('welcome_text', {
    valueType: 'STRING',
    default: { value: 'Hello' },
    conditional: { 'In China': { value: '你好' } },
    description: 'Greets on the first page',
  })
  await parameter('checkout_v2', {
    valueType: 'BOOLEAN',
    default: { value: 'false' },
    conditional: { 'A tenth of all': { value: 'true' }, 'In China': { useInAppDefault: true } },
    group: 'Shop',
  })
  const { etag } = await developer.ok(remoteConfig, 'getHead', { query: where })
  await developer.ok(remoteConfigReleases, 'publishDraft', {
    body: { ...where, description: 'The first ones' },
    headers: { 'if-match': etag },
  })
  await parameter('theme', { valueType: 'JSON', default: { value: '{"dark":true,"accent":"#2f6fed"}' } })
  return where
}

/** Remote config, a rule set and an audience of each kind; the pages that show them. */
export async function fillGrowing(developer: Visitor, projectId: string): Promise<string[]> {
  await fillRemoteConfig(developer, projectId)
  const { ruleSetId } = await developer.ok(ruleSets, 'createRuleSet', {
    body: { projectId, code: 'checkout.offers', name: 'Offers at the checkout' },
  })
  const { audienceId: friends } = await developer.ok(audiences, 'createAudience', {
    body: { projectId, name: 'Friends' },
  })
  const { audienceId: verified } = await developer.ok(audiences, 'createAudience', {
    body: { projectId, name: 'With a German number', rule: { attr: 'phone', op: 'startsWith', value: '+49' } },
  })
  const of = `projectId=${projectId}&zone=CN`
  return [
    ...['parameters', 'conditions', 'versions', 'schedules', 'try', 'settings'].map(
      tab => `/remote-config?${of}&tab=${tab}`,
    ),
    `/remote-config?${of}&kind=server&tab=parameters`,
    ...['sets', 'audiences'].map(tab => `/targeting?${of}&tab=${tab}`),
    `/targeting/rule-sets/${ruleSetId}?${of}`,
    `/targeting/audiences/${friends}?${of}`,
    `/targeting/audiences/${verified}?${of}`,
  ]
}

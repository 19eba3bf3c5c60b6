import type { Person, Stage } from '../../../testkit/stage.ts'
import { dgsProjectApis } from '../../ground/projects/api/contract.ts'
import { projects } from '../../ground/projects/contract.ts'
import { remoteConfigReleases } from './releases/contract.ts'
import type { Template } from './rules.ts'

/** A project whose remote config can be asked by key. */
export interface ConfigStage {
  owner: Person
  projectId: string
  where: { projectId: string; kind: 'client' }
  apiKey: string
  /** Puts a whole template into force, over whatever is. */
  publish(template: Partial<Template>, kind?: 'client' | 'server'): Promise<number>
}

export const inCountry = (...countries: string[]) => ({ attr: 'device.country', op: 'in', value: countries })

export const condition = (name: string, rule: object, more: object = {}) => ({
  ...{ name, rule, tagColor: 'CYAN' as const, seed: `seed of ${name}`, description: '' },
  ...more,
})

export const parameter = (value: string, more: object = {}) => ({
  ...{ valueType: 'STRING' as const, schema: null, default: { value }, conditional: {} },
  ...{ group: null, description: '', owner: null, expiresAt: null },
  ...more,
})

let made = 0

export async function openConfig(stage: Stage, owner?: Person): Promise<ConfigStage> {
  const leader = owner ?? (await stage.person())
  const { projectId } = await leader.ok(projects, 'createProject', { body: { name: `Config ${++made}` } })
  return {
    ...{ owner: leader, projectId, where: { projectId, kind: 'client' }, apiKey: await keyOf(leader, projectId) },
    publish: async (template, kind = 'client') => {
      const made = await leader.ok(remoteConfigReleases, 'publishTemplate', {
        params: { projectId },
        query: { kind },
        body: { conditions: [], parameters: {}, groups: {}, ...template } as never,
        headers: { 'if-match': '*' },
      })
      return made.version
    },
  }
}

async function keyOf(owner: Person, projectId: string): Promise<string> {
  await owner.ok(dgsProjectApis, 'openProjectApis', { body: { projectId, apiIds: ['remote-config'] } } as never)
  const { apiKey } = await owner.ok(dgsProjectApis, 'createApiKey', { body: { projectId, name: 'Apps' } })
  return apiKey ?? ''
}

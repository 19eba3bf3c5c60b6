import { type CallSpec, service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, integer, list, nullable, oneOf, optional, shape, text } from '../../../../kernel/shape.ts'
import { Check, Monitor, Simulated, Simulation } from '../../rules/contract.ts'
import { storageErrors } from '../contract.ts'

const { service: _service, ...simulated } = Simulated.properties
const Source = text(262_144)
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const call = { method: 'POST', who: 'cp' } as const satisfies Partial<CallSpec>

/** The security rules of cloud storage, at the addresses that the field gives them. */
export const storageSecurity = service({
  name: 'build/storage',
  prefix: '/css/cloud-storage/v2',
  zone: 'current',
  permissions: ['storage.read', 'storage.rules'],
  errors: storageErrors,
  calls: {
    setSecurityRule: {
      ...call,
      may: 'storage.rules',
      path: '/security/setSecurityRule',
      summary: 'Publishes security rules; refused where somebody published others meanwhile',
      bodyLimit: 1_048_576,
      body: shape({ projectId: Id, source: Source, baseVersion: Count, note: optional(text(500)) }),
      answer: shape({ version: Count }),
    },
    getSecurityRuleResource: {
      ...call,
      may: 'storage.read',
      path: '/security/getSecurityRuleResource',
      summary: 'The security rules that are in force or of a version, and which versions there are',
      body: shape({ projectId: Id, version: optional(Count) }),
      answer: shape({
        source: Source,
        version: Count,
        versions: list(
          shape({
            version: Count,
            author: text(200),
            time: Instant,
            status: oneOf(['PUBLISHED', 'OLDER']),
            note: text(500),
          }),
        ),
      }),
    },
    checkSecurityRule: {
      ...call,
      may: 'storage.read',
      path: '/security/check',
      summary: 'What is wrong or odd about rules, by line and column',
      bodyLimit: 1_048_576,
      body: shape({ projectId: Id, source: Source }),
      answer: shape({
        ok: Check.properties.ok,
        diagnostics: Check.properties.diagnostics,
        stats: Check.properties.stats,
        formatted: nullable(text(524_288)),
      }),
    },
    simulatorRun: {
      ...call,
      may: 'storage.read',
      path: '/security/simulatorRun',
      summary: 'What rules would say to a request, with each part of each condition',
      bodyLimit: 1_048_576,
      transaction: false,
      body: shape(simulated),
      answer: Simulation,
    },
    queryStat: {
      ...call,
      may: 'storage.read',
      path: '/security/queryStat',
      summary: 'Decisions of a time, what was denied most',
      body: shape({ projectId: Id, from: Instant, to: Instant, step: optional(integer(1, 1440)) }),
      answer: Monitor,
    },
    deleteSecurityRule: {
      ...call,
      may: 'storage.rules',
      path: '/security/delete',
      summary: 'Deletes an older version; with all, every one, so that only signed-in users are let in',
      body: shape({ projectId: Id, version: optional(Count), all: optional(flag()) }),
      answer: shape({}),
    },
  },
})

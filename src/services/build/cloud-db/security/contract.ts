import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, integer, list, nullable, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { Check, Simulated, Simulation } from '../../rules/contract.ts'

const Source = text(262_144, 1)
const { projectId: _projectId, service: _service, ...Asked } = Simulated.properties

/** The field's calls of rules of the database; the work is that of the service for rules. */
export const cloudDbSecurity = service({
  name: 'build/cloud-db',
  prefix: '/clouddb/v1',
  zone: 'current',
  permissions: ['cloudDb.read', 'cloudDb.rules'],
  errors: {},
  calls: {
    verifySecurityRules: {
      method: 'POST',
      path: '/securityRules/verify',
      who: 'cp',
      may: 'cloudDb.read',
      bodyLimit: 1_048_576,
      summary: 'What is wrong or odd about rules, by line and column',
      body: shape({ projectId: Id, source: Source }),
      answer: Check,
    },
    getSecurityRules: {
      method: 'GET',
      path: '/securityRules',
      who: 'cp',
      may: 'cloudDb.read',
      summary: 'The rules in force and the versions that are kept',
      query: shape({ projectId: Id }),
      answer: shape({
        /** 0: none is in force, so the rights matrix alone decides. */
        version: Type.Integer(),
        source: nullable(Type.String()),
        versions: list(
          shape({
            version: Type.Integer(),
            isPublished: flag(),
            note: Type.String(),
            publishedAt: Instant,
            publishedBy: Type.String(),
          }),
        ),
      }),
    },
    putSecurityRules: {
      method: 'POST',
      path: '/securityRules',
      who: 'cp',
      may: 'cloudDb.rules',
      bodyLimit: 1_048_576,
      summary: 'Puts rules into force',
      body: shape({ projectId: Id, source: Source, baseVersion: integer(0, 2_147_483_647), note: optional(text(500)) }),
      answer: shape({ version: Type.Integer(), publishedAt: Instant }),
    },
    deleteSecurityRules: {
      method: 'DELETE',
      path: '/securityRules',
      who: 'cp',
      may: 'cloudDb.rules',
      summary: 'Deletes an older version, or all of them, so that the rights matrix alone decides',
      query: shape({ projectId: Id, version: optional(integer(1, 2_147_483_647)), all: optional(flag()) }),
      answer: shape({ version: nullable(Type.Integer()) }),
    },
    debugSecurityRules: {
      method: 'POST',
      path: '/securityRules/debug',
      who: 'cp',
      may: 'cloudDb.read',
      transaction: false,
      bodyLimit: 1_048_576,
      summary: 'What rules would say to a request, with each part of each condition',
      body: shape({ projectId: Id, ...Asked }),
      answer: Simulation,
    },
    monitorSecurityRules: {
      method: 'GET',
      path: '/securityRules/monitor',
      who: 'cp',
      may: 'cloudDb.read',
      summary: 'How often the rules allowed and denied',
      query: shape({ projectId: Id, from: Instant, to: Instant, step: optional(integer(1, 1440)) }),
      answer: shape({
        series: list(shape({ time: Instant, allow: Type.Integer(), deny: Type.Integer(), error: Type.Integer() })),
        statements: list(
          shape({
            line: Type.Integer(),
            col: Type.Integer(),
            evaluated: Type.Integer(),
            granted: Type.Integer(),
            errors: Type.Integer(),
          }),
        ),
        topPaths: list(shape({ path: Type.String(), method: Type.String(), denied: Type.Integer() })),
        topUsers: list(shape({ uid: nullable(Type.String()), denied: Type.Integer() })),
      }),
    },
  },
})

import { service } from '../../../../kernel/contract.ts'
import { AnyJson, flag, list, oneOf, optional, type Static, shape, text } from '../../../../kernel/shape.ts'
import { Check, Count, remoteConfigErrors, Where } from '../contract.ts'
import { limits } from '../rules.ts'

export const formats = ['loggia', 'firebase', 'unleash'] as const

const ImportReport = shape({
  ...Check.properties,
  isDone: flag(),
  parameters: Count,
  conditions: Count,
  groups: Count,
  /** What of the file is not in the draft, by name, with what stood there. */
  notMapped: list(
    shape({
      thing: oneOf(['condition', 'value', 'parameter', 'field']),
      name: text(400),
      reason: text(1_000),
      source: text(1_000),
    }),
  ),
  notes: list(
    shape({ thing: oneOf(['condition', 'parameter']), name: text(400), note: oneOf(['DRAWS_ANEW', 'RENAMED']) }),
  ),
})

/** Templates in and out: our own form, and those of others on the way in. */
export const remoteConfigExchange = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    exportTemplate: {
      who: 'cp',
      may: 'remoteConfig.read',
      method: 'GET',
      path: '/template/export',
      kind: 'download',
      summary: 'The draft, or what is in force, as a file that can be imported again',
      query: shape({ ...Where, of: optional(oneOf(['draft', 'published'])) }),
    },
    importTemplate: {
      who: 'cp',
      may: 'remoteConfig.edit',
      method: 'POST',
      path: '/template/import',
      summary: 'Takes a template into the draft, and tells each thing of it that has no like here',
      body: shape({
        ...Where,
        format: oneOf(formats),
        file: AnyJson,
        /** `merge` leaves what the file does not name; `replace` takes it out. */
        mode: oneOf(['merge', 'replace']),
        /** Only says what would become of it. */
        isTrial: optional(flag()),
      }),
      bodyLimit: limits.importBytes,
      answer: ImportReport,
    },
  },
})

export type ImportView = Static<typeof ImportReport>

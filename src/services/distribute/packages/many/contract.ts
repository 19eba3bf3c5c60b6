import { service } from '../../../../kernel/contract.ts'
import { flag, Id, integer, list, nullable, oneOf, pattern, shape, Type, text } from '../../../../kernel/shape.ts'
import { Finding, places } from '../contract.ts'
import { limits, packageStates } from '../rules.ts'

/** What became of each package of a call for many. */
const Outcomes = shape({
  results: list(shape({ pkgId: Id, isDone: flag(), code: integer(0, 999_999_999), message: nullable(text(500)) })),
})
const PkgIds = Type.Array(Id, { minItems: 1, maxItems: limits.atOnce, uniqueItems: true })

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read', 'packages.upload'],
  errors: {},
  calls: {
    getPackageStates: {
      method: 'GET',
      path: '/app/pkg/state',
      who: 'cp',
      may: 'packages.read',
      summary: 'The public status of packages: 0 ok, 1 processing, 2 failed',
      query: shape({ pkgIds: pattern('^[1-9][0-9]{0,18}(,[1-9][0-9]{0,18}){0,99}$', 2000, '736430079244000001') }),
      answer: shape({
        pkgStateList: list(
          shape({
            pkgId: Id,
            successStatus: integer(0, 2),
            processState: oneOf(packageStates),
            findings: list(Finding),
          }),
        ),
      }),
    },
    changePackageStates: {
      method: 'PUT',
      path: '/app/pkg/state',
      who: 'cp',
      may: 'packages.upload',
      transaction: false,
      summary: 'Archives packages that are not needed now, or takes them back: each by itself',
      body: shape({ pkgIds: PkgIds, state: oneOf(['ARCHIVED', 'READY']) }),
      answer: Outcomes,
    },
    deletePackages: {
      method: 'POST',
      path: '/app/pkg/batch/delete',
      who: 'cp',
      may: 'packages.upload',
      transaction: false,
      summary: 'Deletes packages that no version refers to: each by itself',
      body: shape({ pkgIds: PkgIds }),
      answer: Outcomes,
    },
  },
} as const

/** Many packages with one call. */
export const manyPackages = service({ ...shared, prefix: places.all })
export const atomicMany = service({ ...shared, prefix: places.atomic })

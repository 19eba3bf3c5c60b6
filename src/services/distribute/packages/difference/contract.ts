import { service } from '../../../../kernel/contract.ts'
import { Id, shape } from '../../../../kernel/shape.ts'
import { Difference, places } from '../contract.ts'

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read'],
  errors: {},
  calls: {
    comparePackages: {
      method: 'GET',
      path: '/app/pkg/difference',
      who: 'cp',
      may: 'packages.read',
      summary: 'What changes when a package takes the place of another',
      query: shape({ pkgId: Id, otherPkgId: Id }),
      answer: Difference,
    },
  },
} as const

/** One package beside another. */
export const differences = service({ ...shared, prefix: places.all })
export const atomicDifferences = service({ ...shared, prefix: places.atomic })

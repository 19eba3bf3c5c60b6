import { service } from '../../../../kernel/contract.ts'
import { flag, integer, list, nullable, shape, text } from '../../../../kernel/shape.ts'
import { type SwitchName, switchNames } from '../../../../kernel/switches.ts'

type Flags = { [name in SwitchName]: ReturnType<typeof flag> }

const PageConfiguration = shape({
  /** Whether each is on for who asks. Pages show by it; the server decides again on every call. */
  switches: shape(Object.fromEntries(switchNames.map(name => [name, flag()])) as Flags),
  /** Whether the newer calls of cloud storage are used, by site; null is no site. */
  storage: list(shape({ siteId: nullable(integer(0, 99)), isNewer: flag() })),
  /** Loaded by pages of people who agreed to it; null where the operator named none or the switch is off. */
  analyticsScript: nullable(text(2000)),
})

/** How pages are to look. It stands apart from the rest of the menu: the sign-in page loads it too. */
export const pageConfiguration = service({
  name: 'ground/menu',
  prefix: '/sfs',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    getPageConfiguration: {
      method: 'GET',
      path: '/page-configuration',
      who: 'anonymous',
      may: 'none',
      summary: 'The named switches for a visitor of the zone: what is on for every team there',
      answer: PageConfiguration,
    },
    getTeamConfiguration: {
      method: 'GET',
      path: '/page-configuration/team',
      who: 'cp',
      may: 'none',
      summary: 'The named switches for the team, by its zone, share and groups',
      answer: PageConfiguration,
    },
  },
})

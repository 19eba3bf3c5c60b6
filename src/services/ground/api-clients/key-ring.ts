import { keyRings } from '../../../server/key-ring.ts'
import { keyTimes } from './rules.ts'
import { signingKeys } from './tables.home.ts'

/** What tokens of programs are signed with. */
export const tokenKeys = keyRings({
  actor: 'apiClients',
  table: signingKeys,
  database: 'home',
  channel: 'signingkeys',
  entity: 'signingKey',
  sealedAs: 'signing key',
  lock: 112,
  times: keyTimes,
})

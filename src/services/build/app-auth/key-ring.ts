import { keyRings } from '../../../server/key-ring.ts'
import { keyTimes } from './rules.ts'
import { authKeys } from './tables.ts'

/** What tokens of app users are signed with, zone by zone. */
export const appUserKeys = keyRings({
  actor: 'appAuth',
  table: authKeys,
  database: 'zone',
  channel: 'appauthkeys',
  entity: 'appAuthKey',
  sealedAs: 'app auth key',
  lock: 402,
  times: keyTimes,
})

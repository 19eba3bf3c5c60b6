import type { Service } from '../../../server/service.ts'
import appOauth from './app-oauth/handlers.ts'
import debugCredentials from './debug/handlers.ts'
import clientGrants from './grants/handlers.ts'
import apiClients from './handlers.ts'
import apiClientsWork from './jobs.ts'
import clientKeys from './keys/handlers.ts'
import tokens, { asJson, wellKnown } from './tokens/handlers.ts'
import userClients from './user-clients/handlers.ts'

export default {
  calls: [apiClients, userClients, clientKeys, clientGrants, debugCredentials, appOauth, tokens, asJson, wellKnown],
  work: apiClientsWork,
} satisfies Service

import type { Service } from '../../../server/service.ts'
import accounts from './accounts/handlers.ts'
import deletion from './deletion/handlers.ts'
import devices from './devices/handlers.ts'
import factors from './factors/handlers.ts'
import session from './handlers.ts'
import sessionWork from './jobs.ts'
import passwords from './passwords/handlers.ts'
import providers from './providers/handlers.ts'
import realNames from './real-names/handlers.ts'

export default {
  calls: [session, accounts, passwords, factors, devices, providers, realNames, deletion],
  work: sessionWork,
} satisfies Service

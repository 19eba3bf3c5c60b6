import type { Service } from '../../../server/service.ts'
import packageClaims, { ofAtomicServices as atomicClaims, desk as claimDesk } from './claims/handlers.ts'
import differences, { ofAtomicServices as atomicDifferences } from './difference/handlers.ts'
import packages, { ofAtomicServices as atomicPackages } from './handlers.ts'
import packagesWork from './jobs.ts'
import manyPackages, { ofAtomicServices as atomicMany } from './many/handlers.ts'
import phones, {
  ofAtomicServices as atomicPhones,
  ofLifecycle as lifecyclePhones,
  desk as phoneDesk,
} from './phones/handlers.ts'
import madePackages, { checks as signChecks } from './signed/handlers.ts'
import packageTasks, { ofAtomicServices as atomicTasks } from './tasks/handlers.ts'
import trustDesk from './trust/handlers.ts'
import wrappedPackages, { ofAtomicServices as atomicWrapped } from './wrapped/handlers.ts'

export default {
  calls: [
    packages,
    packageTasks,
    manyPackages,
    differences,
    wrappedPackages,
    packageClaims,
    claimDesk,
    phones,
    phoneDesk,
    trustDesk,
    madePackages,
    signChecks,
    lifecyclePhones,
    atomicPackages,
    atomicTasks,
    atomicMany,
    atomicDifferences,
    atomicWrapped,
    atomicClaims,
    atomicPhones,
  ],
  work: packagesWork,
} satisfies Service

import type { Service } from '../../../server/service.ts'
import projectApi, { ofCpms as projectApisOfCpms, ofDgs as projectApisOfDgs } from './api/handlers.ts'
import projectConfigFiles from './config-files/handlers.ts'
import projects from './handlers.ts'
import { ofCpms as homeOfCpms, ofDgs as homeOfDgs } from './home/handlers.ts'
import projectsWork from './jobs.ts'
import projectMembers from './members/handlers.ts'
import projectRegion from './region/handlers.ts'
import projectServices from './services/handlers.ts'
import projectSettings from './settings/handlers.ts'

export default {
  calls: [
    projects,
    homeOfDgs,
    homeOfCpms,
    projectApi,
    projectApisOfDgs,
    projectApisOfCpms,
    projectConfigFiles,
    projectMembers,
    projectRegion,
    projectServices,
    projectSettings,
  ],
  work: projectsWork,
} satisfies Service

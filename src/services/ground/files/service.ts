import type { Service } from '../../../server/service.ts'
import files from './handlers.ts'
import filesWork from './jobs.ts'
import partUploads from './parts/handlers.ts'
import fileTasks from './tasks/handlers.ts'
import objectUploads, {
  ofContentPages as filesCms,
  ofConsole as filesConsole,
  secondGeneration as filesV2,
} from './uploads/handlers.ts'

export default {
  calls: [files, objectUploads, filesV2, filesCms, filesConsole, partUploads, fileTasks],
  work: filesWork,
} satisfies Service

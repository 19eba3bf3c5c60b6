import { type Handlers, implement } from '../../../server/implement.ts'
import { withSite } from './answer.ts'
import { projects as contract } from './contract.ts'
import { createProject, deleteProject, updateProject } from './life.ts'
import { loadProject, pageOfProjects } from './queries.ts'

const handlers: Handlers<typeof contract> = {
  listProjects: async (ctx, { query }) => {
    const page = await pageOfProjects(ctx, query)
    return { ...page, list: page.list.map(withSite) }
  },

  createProject: async (ctx, { body }) => withSite(await createProject(ctx, body)),
  getProject: async (ctx, { query }) => withSite(await loadProject(ctx, query.projectId)),
  updateProject: async (ctx, { body }) => withSite(await updateProject(ctx, body)),

  deleteProject: async (ctx, { query }) => {
    await deleteProject(ctx, query.projectId)
    return {}
  },
}

export default implement(contract, handlers)

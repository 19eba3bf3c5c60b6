import i18next from 'i18next'
import { hrefOf } from '../../../../console/address.ts'
import type { FindThings } from '../../../../console/page-spec.ts'
import { api } from './project-calls.ts'

const find: FindThings = async (search, signal) => {
  const { list } = await api.listProjects({ query: { search: search.slice(0, 64), pageSize: 5 } }, { signal })
  return list.map(({ projectId, name, zone }) => ({
    key: projectId,
    name,
    detail: i18next.t(`zones.${zone}`),
    href: hrefOf('/projects/$projectId', { projectId }),
  }))
}

export default find

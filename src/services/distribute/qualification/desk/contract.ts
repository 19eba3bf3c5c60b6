import { service } from '../../../../kernel/contract.ts'
import { Id, integer, oneOf, optional, PageQuery, pageOf, Revision, shape, text } from '../../../../kernel/shape.ts'
import { Task } from '../contract.ts'
import { DefQuery, QualDefs } from '../meta/contract.ts'
import { limits } from '../rules.ts'

const DeskTask = shape({ ...Task.properties, teamId: Id })

/** Where people of the store judge papers. */
export const qualificationDesk = service({
  name: 'distribute/qualification',
  prefix: '/amis/qualification-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.decide'],
  errors: {},
  calls: {
    listDeskTasks: {
      method: 'GET',
      path: '/manage/qualification-review-task/list',
      who: 'manage',
      may: 'review.read',
      summary: 'Tasks that wait for the store (or stand elsewhere), the oldest first',
      query: shape({ status: optional(integer(0, 5)), ...PageQuery }),
      answer: pageOf(DeskTask),
    },
    getDeskTask: {
      method: 'GET',
      path: '/manage/qualification-review-task',
      who: 'manage',
      may: 'review.read',
      summary: 'A task with addresses of its files',
      query: shape({ taskId: Id }),
      answer: DeskTask,
    },
    listDeskDefs: {
      method: 'GET',
      path: '/manage/qual-def',
      who: 'manage',
      may: 'review.read',
      summary: 'The papers the store knows',
      query: DefQuery,
      answer: QualDefs,
    },
    decideDeskTask: {
      method: 'PUT',
      path: '/manage/qualification-review-task',
      who: 'manage',
      may: 'review.decide',
      summary: 'Passes, refuses or revokes papers, or asks the developer something; nobody decides for the own team',
      body: shape({
        taskId: Id,
        verdict: oneOf(['pass', 'refuse', 'ask', 'revoke']),
        /** Said to the developer; not needed to pass. */
        note: optional(text(limits.textLength)),
        revision: Revision,
      }),
      answer: DeskTask,
    },
  },
})

import { service } from '../../../../kernel/contract.ts'
import { Id, integer, nullable, shape, Type, text } from '../../../../kernel/shape.ts'
import { Task } from '../desk/contract.ts'
import { limits } from '../rules.ts'

const desk = '/manage/app/uad/review/task'

/** What reviewers do about a task besides deciding it. */
export const deskMoves = service({
  name: 'distribute/review',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.decide', 'review.senior'],
  errors: {
    notYours: [202040017, 422, 'You do not hold this task (any more); claim it first.'],
    notOpen: [202040018, 422, 'The task is over ({state}).'],
  },
  calls: {
    escalateTask: {
      method: 'POST',
      path: `${desk}/escalate`,
      who: 'manage',
      may: 'review.decide',
      summary: 'Hands a claimed task to a senior reviewer, with the risk that was seen',
      body: shape({ taskId: Id, note: text(limits.reasonMax, limits.reasonMin) }),
      answer: Task,
    },
    updatePriority: {
      method: 'PUT',
      path: `${desk}/priority`,
      who: 'manage',
      may: 'review.senior',
      summary: 'Says how urgent an open task is',
      body: shape({ taskId: Id, priority: integer(0, limits.priority) }),
      answer: Task,
    },
    getManifest: {
      method: 'GET',
      path: `${desk}/manifest`,
      who: 'manage',
      may: 'review.read',
      transaction: false,
      summary: 'What the manifest of the package under review says, as XML; null where there is none to read',
      query: shape({ taskId: Id }),
      answer: shape({ manifestXml: nullable(Type.String({ maxLength: 400_000 })) }),
    },
  },
})

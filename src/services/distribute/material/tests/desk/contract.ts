import { service } from '../../../../../kernel/contract.ts'
import { Id, nullable, oneOf, optional, PageQuery, pageOf, Revision, shape, text } from '../../../../../kernel/shape.ts'
import { reviewDesk } from '../../../review/desk/contract.ts'
import { MaterialTest, TestPage } from '../contract.ts'
import { limits, testStates } from '../rules.ts'

const ofApp = { appName: text(64), packageName: nullable(text(255)) }

/** What reviewers see of material tests, and decide. */
export const materialDesk = service({
  name: 'distribute/material',
  prefix: '/mts',
  zone: 'current',
  permissions: ['review.read', 'review.decide'],
  errors: {
    conflictOfInterest: reviewDesk.errors.conflictOfInterest,
    noteMissing: [202190020, 422, 'Say what must be changed, so that the developer knows.'],
  },
  calls: {
    listWaiting: {
      method: 'GET',
      path: '/manage/material-test/list',
      who: 'manage',
      may: 'review.read',
      summary: 'Tests in a state, those that wait unless said, the longest waiting first',
      query: shape({ state: optional(oneOf(testStates)), ...PageQuery }),
      answer: pageOf(shape({ ...MaterialTest.properties, ...ofApp })),
    },
    viewWaiting: {
      method: 'GET',
      path: '/manage/material-test',
      who: 'manage',
      may: 'review.read',
      summary: 'A test with the materials of its variants beside what is on shelf',
      query: shape({ testId: Id }),
      answer: shape({ ...TestPage.properties, ...ofApp }),
    },
    decideTest: {
      method: 'PUT',
      path: '/manage/material-test/decision',
      who: 'manage',
      may: 'review.decide',
      summary: 'Passes a test, or refuses it with a note',
      body: shape({
        testId: Id,
        verdict: oneOf(['APPROVE', 'REJECT']),
        note: optional(text(limits.noteLength)),
        revision: optional(Revision),
      }),
      answer: shape({ ...MaterialTest.properties, ...ofApp }),
    },
  },
})

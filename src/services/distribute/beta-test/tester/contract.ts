import { service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Device, FeedbackText } from '../feedback/contract.ts'
import { feedbackLimits, logKinds, pictureKinds } from '../feedback/rules.ts'
import { Joined, Token } from '../invitations/contract.ts'
import { limits, userStates } from '../rules.ts'

const Words = shape({
  activityId: Id,
  title: text(60),
  description: text(2000),
  reward: text(200),
  deviceModels: list(text(60)),
  placesLeft: integer(0, 10_000),
  endAt: Instant,
})

/** What the page of a tester must know of what he may send. */
export const feedbackMost = {
  textLength: feedbackLimits.textLength,
  screenshots: feedbackLimits.screenshots,
  kinds: pictureKinds,
  logs: feedbackLimits.logs,
  logKinds,
}

/** What somebody does for himself who was invited: no session, the secret in the address of his mail is enough. */
export const betaTester = service({
  name: 'distribute/beta-test',
  prefix: '/bts/tester/v1',
  zone: 'current',
  permissions: [],
  errors: {
    notTesting: [202080041, 404, 'This test is not yours, or it is over.'],
    feedbackMany: [202080042, 429, 'That was a lot for one day, at most {limit}; write again tomorrow.'],
    pictureTicket: [202080043, 403, 'This ticket takes no file any more; ask for another one.'],
    noPicture: [202080044, 422, 'This is no PNG, JPEG or WEBP picture but {mime}.'],
    noLog: [202080045, 422, 'This is neither text in UTF-8 nor a zip archive; send a log as it was written.'],
  },
  calls: {
    viewInvitation: {
      method: 'POST',
      path: '/view',
      who: 'anonymous',
      may: 'none',
      summary: 'What a secret is for: an invitation, a link, an activity, a mail to answer, an open test',
      body: shape({ token: Token }),
      answer: shape({
        kind: oneOf(['person', 'link', 'activity', 'mail', 'open']),
        appName: text(200),
        /** Of a person: where he stands. */
        state: nullable(oneOf(userStates)),
        /** Of a person or a mail; enough to know one's own by. */
        address: nullable(text(limits.accountLength + 3)),
        expiresAt: nullable(Instant),
        activity: nullable(Words),
      }),
    },
    acceptInvitation: {
      method: 'POST',
      path: '/accept',
      who: 'anonymous',
      may: 'none',
      summary: 'Says yes to an invitation that came by mail',
      body: shape({ token: Token }),
      answer: Joined,
    },
    declineInvitation: {
      method: 'POST',
      path: '/decline',
      who: 'anonymous',
      may: 'none',
      summary: 'Says no; yes may follow until the invitation ends',
      body: shape({ token: Token }),
    },
    askToJoin: {
      method: 'POST',
      path: '/join',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      summary: 'Wants to join by a link or an activity: a mail goes to the address, and the answer is always the same',
      body: shape({
        token: Token,
        account: text(limits.accountLength, 3),
        nickname: optional(text(limits.nicknameLength)),
        language: optional(oneOf(languages)),
      }),
    },
    confirmJoin: {
      method: 'POST',
      path: '/confirm',
      who: 'anonymous',
      may: 'none',
      summary: 'Answers that mail, once; what comes back is the secret of the new tester',
      body: shape({ token: Token }),
      answer: Joined,
    },
    leaveTests: {
      method: 'POST',
      path: '/leave',
      who: 'anonymous',
      may: 'none',
      summary: 'Wants no more tests of the app; his address answers nothing from then on',
      body: shape({ token: Token }),
      answer: shape({ hasLeft: flag() }),
    },
    makePictureTicket: {
      method: 'POST',
      path: '/picture-ticket',
      who: 'anonymous',
      may: 'none',
      summary: 'A ticket for sending one picture or log for a feedback, for ten minutes',
      body: shape({ token: Token, versionId: Id, extension: oneOf([...pictureKinds, ...logKinds]) }),
      answer: shape({ ticket: text(800) }),
    },
    sendPicture: {
      method: 'POST',
      path: '/pictures/:ticket',
      who: 'anonymous',
      may: 'none',
      rate: 'anonymous',
      kind: 'upload',
      transaction: false,
      summary: 'Takes a picture, or a log, of a form field',
      params: shape({ ticket: text(800, 1) }),
      answer: shape({ objectId: text(200) }),
    },
    sendFeedback: {
      method: 'POST',
      path: '/feedback',
      who: 'anonymous',
      may: 'none',
      summary: 'Says something about a test that he has, with pictures and logs that he sent before',
      body: shape({
        token: Token,
        versionId: Id,
        text: FeedbackText,
        device: optional(Device),
        screenshots: optional(Type.Array(text(200, 1), { maxItems: feedbackLimits.screenshots, uniqueItems: true })),
        logs: optional(Type.Array(text(200, 1), { maxItems: feedbackLimits.logs, uniqueItems: true })),
      }),
      answer: shape({ feedbackId: Id }),
    },
    listOpenActivities: {
      method: 'GET',
      path: '/activities',
      who: 'anonymous',
      may: 'none',
      summary: 'Activities of this zone that anybody can join now, the newest first',
      query: shape({ ...PageQuery }),
      answer: pageOf(shape({ appName: text(200), ...Words.properties })),
    },
  },
})

import type { Service } from '../../../server/service.ts'
import commentDesk from './desk/handlers.ts'
import deviceComments, { ofTests } from './devices/handlers.ts'
import comments from './handlers.ts'
import commentsWork from './jobs.ts'
import reviews from './reviews/handlers.ts'

export default {
  calls: [comments, reviews, deviceComments, ofTests, commentDesk],
  work: commentsWork,
} satisfies Service

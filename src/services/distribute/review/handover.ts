import type { Handover } from '../../../server/handover.ts'

const ofSubmissions = 'submission_id IN (SELECT submission_id FROM review_submissions WHERE app_id = ANY($1::bigint[]))'

/** The history of reviews belongs to the app: what was found, asked and answered. */
export const reviewHandover: Handover = {
  rows: [
    { table: 'review_submissions' },
    { table: 'review_items' },
    { table: 'review_tasks' },
    { table: 'review_messages', by: ofSubmissions, files: ['attachments'] },
    { table: 'review_sensitive_apps' },
    { table: 'review_expedites' },
    { table: 'review_appeals' },
    { table: 'review_owed_samples' },
  ],
}

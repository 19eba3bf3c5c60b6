export const appealLimits = {
  reasonMin: 20,
  reasonMax: 4000,
  /** Of one app, in so many days. */
  expedites: 2,
  expediteDays: 180,
  expediteReasonMax: 500,
  /** What is expedited comes before the rest of its zone. */
  expeditePriority: 50,
} as const

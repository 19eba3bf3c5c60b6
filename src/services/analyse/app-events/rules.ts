/** The name of the event that says: this unit has seen this variant of this experiment. */
export const exposureName = '$exposure'

export const limits = {
  eventsOfBatch: 500,
  batchBytes: 512 * 1024,
  nameLength: 64,
  unitLength: 256,
  variantLength: 64,
  eventIdLength: 64,
  /** Different names of a project; one that has not come for so many days makes room. */
  names: 500,
  namesKeptDays: 90,
  props: 100,
  propsBytes: 16 * 1024,
  textLength: 1024,
  keptDays: 400,
  /** Rows and bytes of them that one file is made from at a time. */
  rowsOfFile: 200_000,
  bytesOfFile: 64 * 1024 * 1024,
  /** So long events wait for their file, unless somebody asks for them or there are many. */
  bufferedMs: 5 * 60_000,
  bufferedRows: 50_000,
  /** Files of one day that are made one, none of them larger than so many rows. */
  filesOfDay: 8,
  rowsToMerge: 1_000_000,
  /** A query may read a file for so long after another took its place. */
  dropAfterMs: 3_600_000,
  orphanAfterMs: 24 * 3_600_000,
} as const

export const dayMs = 86_400_000

export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const clockOffMs = 60_000
const earlyMs = 5 * 60_000

/**
 * When an event happened by our clock: a device whose clock is more than a minute off is corrected by what it said the time
 * was when it sent. Nothing happens later than it arrives, but for five minutes that clocks may differ.
 */
export function settledTime(at: number, sentAt: number | undefined, receivedAt: number): number {
  const isOff = sentAt !== undefined && Math.abs(receivedAt - sentAt) > clockOffMs
  const settled = isOff ? at + (receivedAt - sentAt) : at
  return settled > receivedAt + earlyMs ? receivedAt : settled
}

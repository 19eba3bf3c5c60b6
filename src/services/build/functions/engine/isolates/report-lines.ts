import type { Dispatcher } from 'undici'
import { mostFrameBytes, type Report } from '../frames.ts'
import { readReport } from '../reports.ts'

/** What one call may say in all, its answer too. */
const mostBytes = 2 * mostFrameBytes

/** Thrown for what no copy of ours says. */
export class NoReports extends Error {}

/**
 * Reads an answer as reports, a line of JSON each. What it holds is the word of code that nobody knows. Throws `NoReports`
 * where it is anything else or too much, and with the host's own words where the copy is gone.
 */
export async function readReports(answer: Dispatcher.ResponseData, hear: (report: Report) => void): Promise<void> {
  if (answer.statusCode !== 200) throw new Error((await answer.body.text()).slice(0, 500))
  let bytes = 0
  let held: Buffer[] = []
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new NoReports('too much was said')
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      hear(reportIn(Buffer.concat([...held, chunk.subarray(from, end)])))
      held = []
      from = end + 1
    }
    if (from < chunk.length) held.push(chunk.subarray(from))
  }
  if (held.length > 0) throw new NoReports('the last line has no end')
}

function reportIn(line: Buffer): Report {
  let said: unknown
  try {
    said = JSON.parse(line.toString('utf8'))
  } catch {
    throw new NoReports('something was said that is no JSON')
  }
  const report = readReport(said)
  if (!report) throw new NoReports('something was said that is no report')
  return report
}

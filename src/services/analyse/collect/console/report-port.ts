import { client } from '../../../../console/client.ts'
import { quietCall } from '../../../../console/quiet-call.ts'
import type { ReportPort } from '../../../../console/reports/report-port.ts'
import { collect } from '../contract.ts'

const api = client(collect)

export const reportPort: ReportPort = {
  path: collect.prefix + collect.calls.reportEvents.path,
  readPlaces: async () => (await quietCall(api.getReportSettings, {}))?.list,
  readTicket: () => quietCall(api.getReportTicket, {}),
}

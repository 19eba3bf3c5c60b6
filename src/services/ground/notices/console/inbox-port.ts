import { api, inboxZone } from './notice-calls.ts'

export async function countUnread(): Promise<number> {
  return (await api.countUnread({}, inboxZone())).unread
}

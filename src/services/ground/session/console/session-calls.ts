import { client } from '../../../../console/client.ts'
import { send } from '../../../../console/send.ts'
import type { SessionInfo, SessionPort } from '../../../../console/session.ts'
import { type Contract, service } from '../../../../kernel/contract.ts'
import { session } from '../contract.ts'

export const api = client(session)

const sessionInfo = service({
  name: 'ground/session',
  prefix: '/oauth2/v1',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    readSession: {
      method: 'GET',
      path: '/session',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Who is signed in, their teams and permissions',
    },
  },
})

/** The frame's hold on the session; `all.console.ts` hands it over. */
export const sessionCalls: SessionPort = {
  read: async () => {
    const answer = await send(sessionInfo as unknown as Contract, sessionInfo.calls.readSession, {})
    return (await answer.json()) as SessionInfo
  },
  refresh: async () => api.refresh({}) as Promise<{ accountStatus?: number }>,
  logout: () => api.logout({}),
}

import { service } from '../../../../kernel/contract.ts'

/** Where apps listen. Frames go both ways as JSON: AUTH, SUB, UNSUB, PING; SNAPSHOT, CHANGE, RESYNC, DENIED, ERROR. */
export const cloudDbLive = service({
  name: 'build/cloud-db',
  prefix: '/agc/apigw/clouddb',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    subscribe: {
      method: 'GET',
      path: '/subscribe',
      who: 'anonymous',
      may: 'none',
      kind: 'socket',
      rate: 'data',
      summary: 'Listens to queries: the rows that are there, then each change, under the rights and rules of reading',
    },
  },
})

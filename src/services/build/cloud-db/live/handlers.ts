import { implement } from '../../../../server/implement.ts'
import { Connection } from './connection.ts'
import { cloudDbLive } from './contract.ts'
import { hubOf } from './hub.ts'

export default implement(cloudDbLive, {
  subscribe: async (ctx, { line }) => {
    const hub = hubOf(ctx.server)
    const connection = new Connection(ctx.server, hub, line)
    hub.connections.add(connection)
    line.onMessage(text => connection.take(text))
    line.onClose(() => {
      hub.connections.delete(connection)
      connection.close()
    })
  },
})

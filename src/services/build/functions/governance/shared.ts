import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import { reasonOf } from '../../../../server/log.ts'
import type { Server } from '../../../../server/server.ts'
import type { Move } from './breaker.ts'
import type { BreakerSpec } from './rules.ts'

/** Tells every process how a breaker moved. Each counts its own calls; what one of them found out holds for all. */
const channel = 'functionbreakers'

/** How a breaker moved, and by what settings: those of others it is no news for. */
export interface Heard extends Move {
  specText: string
}

/** @param key as `governorKey` makes it */
export function tellMove(server: Server, key: string, spec: BreakerSpec, move: Move): void {
  const zone = key.split(' ', 1)[0] as ZoneId
  const payload = JSON.stringify({ key, node: server.config.node, ...move, specText: JSON.stringify(spec) })
  systemContext(server, zone, { name: 'functions.breakers' })
    .transact(async ctx => {
      await ctx.transaction(zone).query({
        name: 'functions breaker moved',
        text: 'SELECT pg_notify($1, $2)',
        values: [channel, payload],
      })
    })
    .catch(error => server.log.warn({ zone, reason: reasonOf(error) }, 'other processes did not hear of a breaker'))
}

/** Call before the signals start. */
export function hearMoves(server: Server, hear: (key: string, heard: Heard) => void): void {
  for (const zone of server.config.zones) {
    server.signals.on(zone, channel, payload => {
      if (payload === '') return
      const { key, node, ...heard } = JSON.parse(payload) as Heard & { key: string; node: number }
      if (node !== server.config.node) hear(key, heard)
    })
  }
}

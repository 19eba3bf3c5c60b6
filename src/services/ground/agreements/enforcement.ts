import { refuse } from '../../../kernel/errors.ts'
import type { Gatekeeper } from '../../../server/gatekeeper.ts'
import type { Server } from '../../../server/server.ts'
import { agreements } from './contract.ts'
import { type Known, memoryOf } from './memory.ts'
import { type Catalogue, versionAgreed, wordKeyOf } from './queries.ts'
import { seriesOf, standingOf, waitsForSignature } from './rules.ts'

/**
 * Lets writes wait for signatures: a person's for what each person has to sign, and those that need a right for what the
 * team has to sign for it. All of it is in memory.
 */
export function guardSigning(server: Server, gatekeeper: Gatekeeper): Gatekeeper {
  const memory = memoryOf(server)
  return {
    ...gatekeeper,
    start: () => {
      gatekeeper.start()
      memory.listen()
    },
    assertSigned: async (signedIn, call, teamId) => {
      if (!waitsForSignature(call)) return
      const catalogue = await memory.catalogue()
      if (catalogue.kinds.length === 0) return
      const now = server.clock.now()
      const waiting = []
      if (catalogue.kinds.some(kind => kind.signer === 'person')) {
        const person = await memory.of('person', signedIn.accountId)
        waiting.push(...blocking(catalogue, 'person', person, now))
      }
      const isGated = catalogue.kinds.some(kind => kind.signer === 'team' && kind.permissions.includes(call.may))
      const team = isGated && teamId !== undefined ? signedIn.membership(teamId) : null
      if (team) {
        const { agreed } = await memory.of('team', team.teamId)
        waiting.push(...blocking(catalogue, 'team', { country: team.countryCode, agreed }, now, call.may))
      }
      if (waiting.length === 0) return
      const names = waiting.map(one => one.name.en).join(', ')
      refuse(agreements.errors.mustSign, { names, agreements: waiting })
    },
  }
}

function blocking(catalogue: Catalogue, signer: 'person' | 'team', who: Known, now: number, permission?: string) {
  return catalogue.kinds.flatMap(kind => {
    if (kind.signer !== signer || !kind.isRequired) return []
    if (permission !== undefined && !kind.permissions.includes(permission)) return []
    const series = seriesOf(catalogue.seriesOf(kind), who.country, now)
    if (!series) return []
    const { agrType, branchId, name } = kind
    const { country, versions } = series
    const word = who.agreed.get(wordKeyOf({ agrType, branchId, country }))
    const standing = standingOf(kind, versions, versionAgreed(word), now)
    if (!standing?.isBlocking) return []
    const { latest, graceUntil } = standing
    return [{ agrType, branchId, country, name, version: latest.version, graceUntil, signer }]
  })
}

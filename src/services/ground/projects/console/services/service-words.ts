import type { TFunction } from 'i18next'
import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { Language } from '../../../../../console/language.ts'
import { serviceNamed } from '../../services/rules.ts'
import type { ServiceView } from '../project-calls.ts'

export const serviceTones: Readonly<Record<ServiceView['state'], Tone>> = {
  NONE: 'off',
  REFUSED: 'bad',
  ENABLED: 'good',
  DISABLED: 'stopped',
}

export function serviceName(serviceId: string, language: Language): string {
  return serviceNamed(serviceId)?.name[language] ?? serviceId
}

/** What stands in the way of a service, or what stands on it; empty where there is nothing to say. */
export function serviceNote(row: ServiceView, language: Language, t: TFunction<'ground/projects'>): string {
  const { obstacle, neededBy, state } = row
  const names = (ids: readonly string[]) => ids.map(id => serviceName(id, language)).join(', ')
  if (obstacle?.kind === 'zone') return t('services.notInZone')
  if (obstacle?.kind === 'agreement') return t('services.agreeFirst')
  if (obstacle) return t('services.needs', { names: names(obstacle.missing) })
  return state === 'ENABLED' && neededBy.length > 0 ? t('services.neededBy', { names: names(neededBy) }) : ''
}

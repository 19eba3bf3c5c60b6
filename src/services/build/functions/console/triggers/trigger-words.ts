import type { TFunction } from 'i18next'
import { client } from '../../../../../console/client.ts'
import type { Language } from '../../../../../console/language.ts'
import { localeOf } from '../../../../../console/language.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { russianDate } from '../../../../../kernel/dates.ts'
import { functionTriggers } from '../../triggers/contract.ts'

export const triggerApi = client(functionTriggers)
export type TriggerView = Answer<typeof functionTriggers.calls.listTriggers>['list'][number]
export type TriggerConfig = TriggerView['config']

/** What a trigger waits for, as a sentence. */
export function waitsFor(
  t: TFunction<'build/functions'>,
  { typeCode, config }: Pick<TriggerView, 'typeCode' | 'config'>,
): string {
  const events = (config.events ?? []).map(one => t(`triggers.events.${one}` as 'triggers.events.INSERT')).join(', ')
  switch (typeCode) {
    case 'HTTP':
      return t('triggers.waits.HTTP', { who: t(`triggers.who.${config.authType ?? 'none'}`) })
    case 'CRON':
      return t('triggers.waits.CRON', { cron: config.cron, timezone: config.timezone })
    case 'CLOUDDB': {
      const fields = config.fields?.length ? t('triggers.waits.fields', { fields: config.fields.join(', ') }) : ''
      return [t('triggers.waits.CLOUDDB', { type: config.objectType, events }), fields].filter(Boolean).join(' ')
    }
    case 'CLOUDSTORAGE':
      return t('triggers.waits.CLOUDSTORAGE', { path: `${config.prefix ?? ''}*${config.suffix ?? ''}`, events })
    case 'AUTH':
      return t('triggers.waits.AUTH', { events })
    case 'EVENT':
      return t('triggers.waits.EVENT', { topic: config.topic })
  }
}

/** An instant on the clocks of a zone. */
export function zonedText(at: number, timeZone: string, language: Language): string {
  if (language === 'ru') return russianDate(at, timeZone, 'minutes')
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(localeOf[language], { ...parts, hourCycle: 'h23', timeZone })
    .format(at)
    .replace(', ', ' ')
}

export const toneOfResult = (result: NonNullable<TriggerView['lastResult']>) =>
  result === 'SUCCESS' ? 'good' : result === 'RETRY' ? 'running' : result === 'FAIL' ? 'bad' : 'caution'

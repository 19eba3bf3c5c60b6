import type { ZoneId } from '../../../../kernel/zones.ts'

/** What a zone is called where people choose one. */
export const zoneNames: Readonly<Record<ZoneId, { zh: string; en: string; ru: string }>> = {
  CN: { zh: '中国', en: 'China', ru: 'Китай' },
  SG: { zh: '新加坡', en: 'Singapore', ru: 'Сингапур' },
  DE: { zh: '德国', en: 'Germany', ru: 'Германия' },
  RU: { zh: '俄罗斯', en: 'Russia', ru: 'Россия' },
  IR: { zh: '伊朗', en: 'Iran', ru: 'Иран' },
}

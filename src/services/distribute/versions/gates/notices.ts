import type { notify } from '../../../ground/notices/public.ts'
import { isOfStars, type Trip } from './rules.ts'

type Said = Pick<Parameters<typeof notify>[1], 'title' | 'text'>

/** What a gate saw, and what followed. */
export interface Acted extends Trip {
  did: 'pause' | 'cancel' | 'rollBack'
}

const metrics: Readonly<Record<Trip['metric'], Said['title']>> = {
  crashRate: { zh: '崩溃率', en: 'Crash rate', ru: 'Доля устройств со сбоями' },
  anr: { zh: '无响应率', en: 'ANR rate', ru: 'Доля устройств с зависаниями' },
  uninstallRate: { zh: '卸载率', en: 'Uninstall rate', ru: 'Доля удалений' },
  installFailRate: { zh: '安装失败率', en: 'Install failure rate', ru: 'Доля неудачных установок' },
  ratingAvg: { zh: '平均评分', en: 'Average rating', ru: 'Средняя оценка' },
}

const titles: Readonly<Record<Acted['did'], Said['title']>> = {
  pause: { zh: '的分阶段发布已自动暂停', en: 'was paused by a health gate', ru: 'выпуск приостановлен по показателям' },
  cancel: { zh: '的分阶段发布已自动取消', en: 'was cancelled by a health gate', ru: 'выпуск отменён по показателям' },
  rollBack: { zh: '已自动回滚', en: 'was rolled back by a health gate', ru: 'откат по показателям' },
}

const follows: Readonly<Record<Acted['did'], Said['text']>> = {
  pause: {
    zh: '不再向新设备提供此版本，直到您恢复发布。',
    en: 'No new device is offered it until you resume.',
    ru: 'Новым устройствам версия не предлагается, пока вы не продолжите выпуск.',
  },
  cancel: {
    zh: '暂停时间已用完，因此该版本已离开商店，其余设备继续使用完整发布的版本。',
    en: 'No pause was left, so the version has left the store; the others get the full version.',
    ru: 'Запас паузы исчерпан, поэтому версия снята; остальные получают полную версию.',
  },
  rollBack: {
    zh: '该版本已离开商店，其余设备继续使用完整发布的版本。',
    en: 'The version has left the store; the others get the full version.',
    ru: 'Версия снята; остальные получают полную версию.',
  },
}

/** What a gate saw, its limit, of how many devices, and what follows. */
export function gateActed(thing: string, { metric, op, limit, value, devices, did }: Acted): Said {
  const [unit, closeUnit] = isOfStars(metric) ? ['', ''] : [' %', '%']
  const seen = `${metrics[metric].en}: ${value}${unit} (limit: ${op} ${limit}${unit}), ${devices} devices`
  const number = (amount: number) => amount.toLocaleString('ru') + unit
  return {
    title: {
      zh: `${thing} ${titles[did].zh}`,
      en: `${thing} ${titles[did].en}`,
      ru: `${thing}: ${titles[did].ru}`,
    },
    text: {
      zh: `${metrics[metric].zh}：${value}${closeUnit}（限值：${op} ${limit}${closeUnit}），${devices} 台设备。${follows[did].zh}`,
      en: `${seen}. ${follows[did].en}`,
      ru: `${metrics[metric].ru}: ${number(value)} (предел: ${op} ${number(limit)}), устройств: ${devices}. ${follows[did].ru}`,
    },
  }
}

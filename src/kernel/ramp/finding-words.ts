import type { Finding } from './guards.ts'

/** One sentence in each language of the console. */
export interface FindingWords {
  zh: string
  en: string
  ru: string
}

const shown = (value: number) => String(Number(value.toPrecision(3)))
const shownInRussian = (value: number) => shown(value).replace('.', ',')

/** The sentence of a finding, with numbers of three digits at most. */
export function wordsOf(finding: Finding): FindingWords {
  if (finding.kind === 'recovered')
    return {
      zh: '导致暂停的指标已恢复。',
      en: 'What held it has recovered.',
      ru: 'То, что его удерживало, восстановилось.',
    }
  if (finding.kind === 'split') {
    const { inUnits, outUnits } = finding
    const p = shown(finding.p)
    return {
      zh: `${inUnits} 个单元获得新值，${outUnits} 个没有；与步骤相差如此之大的分流偶然出现的概率为 p = ${p}。`,
      en: `${inUnits} units have the value and ${outUnits} do not; a split so far from the step comes by chance with p = ${p}.`,
      ru: `Новое значение у ${inUnits} единиц, прежнее у ${outUnits}; такое отклонение от шага случайно с вероятностью p = ${shownInRussian(finding.p)}.`,
    }
  }
  const { name, inside, outside, change } = finding
  const values = [inside.mean, outside.mean, change?.by ?? 0, change?.low ?? 0, change?.high ?? 0]
  const [mean, other, by, low, high] = values.map(shown)
  const russian = values.map(shownInRussian)
  return {
    zh: `${name}：获得新值的 ${inside.n} 个单元中为 ${mean}，其他 ${outside.n} 个单元中为 ${other}；变化 ${by}，区间为 ${low} 至 ${high}。`,
    en: `${name}: ${mean} among ${inside.n} units that have the value, ${other} among ${outside.n} others; the change of ${by} is between ${low} and ${high}.`,
    ru: `${name}: ${russian[0]} у ${inside.n} единиц с новым значением, ${russian[1]} у ${outside.n} остальных; изменение ${russian[2]}, интервал от ${russian[3]} до ${russian[4]}.`,
  }
}

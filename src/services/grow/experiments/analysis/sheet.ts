import type { Cell } from '../../../../kernel/cells.ts'
import type { Language } from '../../../../kernel/language.ts'
import type { JudgedView } from './contract.ts'

const columns = {
  zh: [
    '指标',
    '角色',
    '版本',
    '单位数',
    '均值',
    '相对变化',
    '下限',
    '上限',
    '绝对变化',
    'p 值',
    '校正后 p 值',
    '胜出概率',
    '分子',
    '分母',
  ],
  en: [
    ...['Metric', 'Role', 'Variant', 'Units', 'Mean', 'Relative change', 'Low', 'High', 'Absolute change'],
    ...['p', 'p, corrected', 'Chance to win', 'Numerator', 'Denominator'],
  ],
  ru: [
    ...[
      'Метрика',
      'Роль',
      'Вариант',
      'Единиц',
      'Среднее',
      'Относительное изменение',
      'Нижняя граница',
      'Верхняя граница',
    ],
    ...['Абсолютное изменение', 'p', 'p с поправкой', 'Вероятность выигрыша', 'Числитель', 'Знаменатель'],
  ],
} satisfies Record<Language, string[]>

const roleWords = {
  zh: { goal: '目标', secondary: '次要', guardrail: '护栏' },
  en: { goal: 'goal', secondary: 'secondary', guardrail: 'guardrail' },
  ru: { goal: 'цель', secondary: 'вторичная', guardrail: 'ограничитель' },
} satisfies Record<Language, Record<JudgedView['role'], string>>

export const columnsOf = (language: Language): readonly string[] => columns[language]

/** A line for the baseline and each variant of each metric. */
export async function* rowsOf(
  metrics: readonly JudgedView[],
  language: Language,
): AsyncGenerator<readonly Cell[], void, undefined> {
  for (const { name, role, baseline, variants } of metrics) {
    const word = roleWords[language][role]
    const none = [null, null, null, null, null, null, null]
    yield [name, word, baseline.variant, baseline.n, baseline.mean, ...none, baseline.numerator, baseline.denominator]
    for (const one of variants) {
      const change = [one.lift, one.interval?.low ?? null, one.interval?.high ?? null, one.absolute]
      const chance = [one.p, one.pAdjusted, one.chanceToWin]
      yield [name, word, one.variant, one.n, one.mean, ...change, ...chance, one.numerator, one.denominator]
    }
  }
}

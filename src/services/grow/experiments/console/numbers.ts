/** Numbers of results as people of a language write them. */
export function numbersOf(language: string | undefined) {
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
  const change = new Intl.NumberFormat(language, {
    ...{ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  })
  const plain = new Intl.NumberFormat(language, { maximumSignificantDigits: 5 })
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const chance = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
  return {
    whole: (value: number) => whole.format(value),
    plain: (value: number) => plain.format(value),
    percent: (value: number) => percent.format(value),
    change: (value: number | null) => (value === null ? '–' : change.format(value)),
    p: (value: number | null) =>
      value === null ? '–' : value < 0.0001 ? `< ${chance.format(0.0001)}` : chance.format(value),
  }
}

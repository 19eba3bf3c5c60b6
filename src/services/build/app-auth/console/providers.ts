import { brands, providerNamed, providerNumbers } from '../rules.ts'

type Say = (key: string) => string

/** What a way in is called. */
export function providerText(t: Say, provider: number): string {
  const name = providerNamed(provider)
  if (name === null) return String(provider)
  return brands[name] ?? t(`ways.${name}`)
}

export const providerOptions = (t: Say) =>
  Object.values(providerNumbers).map(provider => ({ value: String(provider), label: providerText(t, provider) }))

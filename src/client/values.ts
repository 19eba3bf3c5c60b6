/** What a parameter can be read as. */
export type ConfigValue = string | number | boolean | object | null

/** A fallback says which kind is wanted, not which value: `false` asks for a boolean. */
export type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T

/** A parameter's text as the kind of the fallback; undefined where it is none of that kind. */
export function readAs(text: string, fallback: ConfigValue): ConfigValue | undefined {
  if (typeof fallback === 'string') return text
  if (typeof fallback === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  try {
    const value: ConfigValue = JSON.parse(text)
    if (typeof fallback === 'number') return typeof value === 'number' ? value : undefined
    return typeof value === 'object' && Array.isArray(value) === Array.isArray(fallback) ? value : undefined
  } catch {
    return undefined
  }
}

import type { Fault } from '../frames.ts'

/** What is told as it is: no error of the code. */
export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && (value as Fault).kind === 'notJson'

/** Whatever was thrown, in words; its own getters may throw again. */
export function faultOf(kind: Fault['kind'], thrown: unknown): Fault {
  try {
    const { name, message, code, stack } = Object(thrown) as Partial<Error & { code: unknown }>
    const said = typeof thrown === 'object' ? String(message ?? JSON.stringify(thrown)) : String(thrown)
    const title = code === undefined ? String(name ?? 'Error') : String(code)
    return { kind, name: title, message: said.slice(0, 4000), stack: String(stack ?? '').slice(0, 8000) }
  } catch {
    return { kind, name: 'Error', message: 'something was thrown that cannot be read', stack: '' }
  }
}

import type { TFunction } from 'i18next'
import type { CallError } from '../../../../../console/call-error.ts'

const known = [
  101, 202080023, 202080026, 202080027, 202080028, 202080033, 202080041, 202080042, 202080043, 202080044, 202080045,
]

/** What was refused, in the words of this page: it loads no other service's. */
export function refusalOf(t: TFunction<'distribute/store'>, error: CallError): string {
  return t(`openTest.refused.${known.includes(error.number) ? error.number : 'other'}`)
}

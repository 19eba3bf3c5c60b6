import i18next from 'i18next'
import { notify } from '../../../../console/notify.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { manyPackages } from '../many/contract.ts'
import { ns } from './package-words.ts'

/** Says how many of many were done, and why the first of the others was not. */
export function tellRefused(answer: Answer<typeof manyPackages.calls.deletePackages> | undefined): void {
  if (!answer) return
  const done = answer.results.filter(one => one.isDone).length
  const first = answer.results.find(one => !one.isDone)
  const t = i18next.getFixedT(null, ns)
  if (!first) {
    notify({ tone: 'success', text: t('bulk.done', { count: done }) })
    return
  }
  const reason = t(`errors.${first.code}`, { defaultValue: first.message ?? '', holdCount: '' })
  notify({ tone: 'error', text: t('bulk.some', { done, count: answer.results.length - done, reason }) })
}

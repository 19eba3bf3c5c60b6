import { useTranslation } from 'react-i18next'
import { dependenciesOf, limits } from '../rules.ts'
import { callText, type Step } from './process-calls.ts'

/** The graph in words. */
export function StepTable({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation('ground/orchestration')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="process-scroll" tabIndex={0} aria-label={t('graph.table')}>
      <table className="process-table">
        <thead>
          <tr>
            <th scope="col">{t('step.id')}</th>
            <th scope="col">{t('step.call')}</th>
            <th scope="col">{t('step.dependsOn')}</th>
            <th scope="col">{t('step.timeoutMs')}</th>
            <th scope="col">{t('step.failure')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(step => (
            <tr key={step.id}>
              <th scope="row" className="process-id">
                <code>{step.id}</code>
              </th>
              <td>
                <code>{callText(step)}</code>
              </td>
              <td>
                <code>{[...dependenciesOf(step)].join(', ') || '–'}</code>
              </td>
              <td>{t('step.ms', { ms: step.timeoutMs ?? limits.timeoutMs })}</td>
              <td>{step.optional ? t('step.optional') : t('step.required')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import DatePicker from '@cloudscape-design/components/date-picker'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { countryCodes, cutoverApi, type SeriesView } from './series-calls.ts'

/** From which day on people are moved over to the edition for HarmonyOS; what was planned before stays in sight. */
export function CutoverField({ one }: { one: SeriesView }) {
  const { t } = useTranslation('distribute/series')
  const { seriesId } = one
  const [day, setDay] = useState('')
  const [where, setWhere] = useState('')
  const known = useCall(cutoverApi.queryCutovers, { body: { seriesId } })
  const plan = useAction(cutoverApi.planCutover, { errors: 'form', onDone: () => setDay('') })
  const cancel = useAction(cutoverApi.cancelCutover, { errors: 'form' })
  const list = known.data?.list ?? []
  const error = plan.error ?? cancel.error
  const startAt = new Date(`${day}T00:00:00`).getTime()
  const isOpen = list.some(each => each.state === 'PLANNED')
  const plans = one.canEdit && !isOpen
  if (list.length === 0 && !plans) return null
  return (
    <div className="series-mode">
      <FormField label={t('cutover.title')} description={t('cutover.text')}>
        <ul className="series-cutovers">
          {list.map(({ cutoverId, revision, state, reason, countries, allowedActions, ...each }) => (
            <li key={cutoverId}>
              <span>
                {t(`cutover.states.${state}`)} · <When at={each.startAt} /> ·{' '}
                {countries.length > 0 ? countries.join(', ') : t('cutover.everywhere')}
                {reason && <span className="lg-soft"> · {t(`cutover.reasons.${reason}`)}</span>}
              </span>
              {one.canEdit && allowedActions.includes('cancel') && (
                <Button
                  variant="inline-link"
                  data-action="cancelCutover"
                  loading={cancel.isRunning}
                  onClick={() => void cancel.run({ body: { cutoverId, revision } })}
                >
                  {state === 'ACTIVE' ? t('cutover.takeBack') : t('cutover.cancel')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </FormField>
      {plans && (
        <>
          <FormField label={t('cutover.day')}>
            <DatePicker
              value={day}
              placeholder="YYYY/MM/DD"
              isDateEnabled={date => date.getTime() > Date.now()}
              onChange={({ detail }) => setDay(detail.value)}
            />
          </FormField>
          {day !== '' && (
            <FormField label={t('where')} constraintText={t('whereHint')}>
              <Input value={where} spellcheck={false} onChange={({ detail }) => setWhere(detail.value)} />
            </FormField>
          )}
        </>
      )}
      {error && <Alert type="error">{errorText(error)}</Alert>}
      {plans && !Number.isNaN(startAt) && (
        <Button
          data-action="planCutover"
          loading={plan.isRunning}
          onClick={() => void plan.run({ body: { seriesId, startAt, countries: countryCodes(where) } })}
        >
          {t('cutover.plan')}
        </Button>
      )}
    </div>
  )
}

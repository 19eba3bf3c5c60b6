import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { Standing } from '../../rules.ts'
import { type DecisionView, decisionApi } from '../store-calls.ts'

const tones: Readonly<Record<Standing, Tone>> = {
  OFFERED: 'good',
  COUNTRY: 'off',
  PHASE: 'waiting',
  SIGNER_MISMATCH: 'bad',
  LATEST: 'info',
  INCOMPATIBLE: 'bad',
  NOT_REACHED: 'off',
}
const digits = (text: string, most: number) => text.replace(/[^0-9]/g, '').slice(0, most)

/** What a device that nobody has at hand would be told now, and why. */
export function TryDevice({ appId }: { appId: string }) {
  const { t } = useTranslation('distribute/store')
  const [versionCode, setCode] = useState('')
  const [country, setCountry] = useState('')
  const [sdk, setSdk] = useState('')
  const [deviceId, setDevice] = useState('')
  const [isByHand, setByHand] = useState(false)
  const [told, setTold] = useState<DecisionView | null>(null)
  const ask = useAction(decisionApi.previewUpdate, { errors: 'form', invalidates: [], onDone: setTold })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      ...{ appId, isByHand, versionCode: versionCode.replace(/^0+(?=.)/, '') || '0' },
      ...(country.length === 2 && { country }),
      ...(Number(sdk) > 0 && { sdk: Number(sdk) }),
      ...(deviceId.trim() !== '' && { deviceId: deviceId.trim() }),
    }
    void ask.run({ body })
  }
  const offered = told?.offers.find(one => one.standing === 'OFFERED')
  return (
    <Container
      header={
        <Header variant="h2" description={t('decision.text')}>
          {t('decision.title')}
        </Header>
      }
    >
      <form onSubmit={submit}>
        <SpaceBetween size="m">
          <div className="decision-fields">
            <FormField label={t('decision.versionCode')} constraintText={t('decision.versionCodeHint')}>
              <Input
                value={versionCode}
                inputMode="numeric"
                placeholder="0"
                onChange={({ detail }) => setCode(digits(detail.value, 19))}
              />
            </FormField>
            <FormField label={t('decision.country')} constraintText={t('decision.countryHint')}>
              <Input
                value={country}
                spellcheck={false}
                onChange={({ detail }) =>
                  setCountry(
                    detail.value
                      .toUpperCase()
                      .replace(/[^A-Z]/g, '')
                      .slice(0, 2),
                  )
                }
              />
            </FormField>
            <FormField label={t('decision.sdk')}>
              <Input value={sdk} inputMode="numeric" onChange={({ detail }) => setSdk(digits(detail.value, 4))} />
            </FormField>
            <FormField label={t('decision.deviceId')} constraintText={t('decision.deviceIdHint')}>
              <Input
                value={deviceId}
                spellcheck={false}
                onChange={({ detail }) => setDevice(detail.value.slice(0, 128))}
              />
            </FormField>
          </div>
          <Checkbox checked={isByHand} onChange={({ detail }) => setByHand(detail.checked)}>
            {t('decision.byHand')}
          </Checkbox>
          <Button formAction="submit" loading={ask.isRunning} data-action="previewUpdate">
            {t('decision.ask')}
          </Button>
          {ask.error && <p role="alert">{errorText(ask.error)}</p>}
          {told && (
            <div role="status">
              <p>
                <strong>{t(`decision.results.${told.result}`)}</strong>
                {offered?.forced && ` · ${t('decision.forced')}`}
                {told.replacedBy && ` · ${t('decision.replacedBy', { name: told.replacedBy })}`}
              </p>
              <ul className="decision-offers">
                {told.offers.map(one => (
                  <li key={one.versionId}>
                    <span translate="no">
                      {one.versionName} ({one.versionCode})
                    </span>
                    <StatusBadge tone={tones[one.standing]} text={t(`decision.standings.${one.standing}`)} />
                    {one.percentBp !== null && (
                      <span className="lg-soft">
                        {one.bucket === null
                          ? t('decision.share', { share: one.percentBp / 100 })
                          : t('decision.place', { share: one.percentBp / 100, place: one.bucket / 100 })}
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </SpaceBetween>
      </form>
    </Container>
  )
}

import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { SimulationView } from '../../contract.ts'
import { ruleMethods } from '../../rules.ts'
import { api, type Where } from '../rules-calls.ts'
import { SimulationResult } from '../SimulationResult.tsx'
import { firstWish, parsedWish, type Wish } from './simulation-wish.ts'

interface SimulatorPanelProps {
  where: Where
  source: string
  /** The rules changed since the result. */
  isStale: boolean
  onResult: (result: SimulationView) => void
  onGo: (place: { line: number; col: number }) => void
}

/** A request that is made up, decided by what stands in the editor. */
export function SimulatorPanel({ where, source, isStale, onResult, onGo }: SimulatorPanelProps) {
  const { t } = useTranslation('build/rules')
  const [wish, setWish] = useState<Wish>(() => firstWish(where.service))
  const [result, setResult] = useState<SimulationView | null>(null)
  const [faulty, setFaulty] = useState<string | null>(null)
  const run = useAction(api.simulateRules, {
    errors: 'form',
    invalidates: [],
    onDone: answer => {
      setResult(answer)
      onResult(answer)
    },
  })
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part })
  const isWrite = wish.method === 'create' || wish.method === 'update'
  const hasRow = wish.method !== 'create' && wish.method !== 'list'
  const submit = () => {
    const { body, fault } = parsedWish(wish)
    setFaulty(fault)
    if (body) void run.run({ body: { ...where, source, ...body } })
  }
  const jsonField = (name: 'token' | 'resource' | 'requestResource' | 'query') => (
    <FormField label={t(`simulator.${name}`)} stretch {...(faulty === name && { errorText: t('simulator.noJson') })}>
      <CodeEditor
        label={t(`simulator.${name}`)}
        language="json"
        value={wish[name]}
        onChange={text => change({ [name]: text })}
        lines={{ least: 3, most: 10 }}
      />
    </FormField>
  )
  const methods = ruleMethods.map(value => ({ value, label: value }))
  return (
    <Container header={<Header variant="h2">{t('simulator.title')}</Header>}>
      <SpaceBetween size="s">
        <div className="rules-request">
          <FormField label={t('simulator.method')}>
            <Select
              selectedOption={methods.find(one => one.value === wish.method) ?? null}
              options={methods}
              onChange={({ detail }) => change({ method: detail.selectedOption.value as Wish['method'] })}
            />
          </FormField>
          <FormField label={t('simulator.path')} stretch>
            <Input value={wish.path} spellcheck={false} onChange={({ detail }) => change({ path: detail.value })} />
          </FormField>
        </div>
        <Checkbox checked={wish.isSignedIn} onChange={({ detail }) => change({ isSignedIn: detail.checked })}>
          {t('simulator.signedIn')}
        </Checkbox>
        {wish.isSignedIn && (
          <SpaceBetween size="s">
            <FormField label={t('simulator.uid')}>
              <Input value={wish.uid} spellcheck={false} onChange={({ detail }) => change({ uid: detail.value })} />
            </FormField>
            <Checkbox checked={wish.isAnonymous} onChange={({ detail }) => change({ isAnonymous: detail.checked })}>
              {t('simulator.anonymous')}
            </Checkbox>
            {jsonField('token')}
          </SpaceBetween>
        )}
        {hasRow && (
          <Checkbox checked={wish.useLiveData} onChange={({ detail }) => change({ useLiveData: detail.checked })}>
            {t('simulator.live')}
          </Checkbox>
        )}
        {hasRow && !wish.useLiveData && jsonField('resource')}
        {isWrite && jsonField('requestResource')}
        {wish.method === 'list' && jsonField('query')}
        {run.error && <Alert type="error">{errorText(run.error)}</Alert>}
        <Button
          variant="primary"
          iconName="caret-right-filled"
          loading={run.isRunning}
          data-action="simulateRules"
          onClick={submit}
        >
          {t('simulator.go')}
        </Button>
        {isStale && <Alert type="info">{t('simulator.stale')}</Alert>}
        {result && <SimulationResult result={result} onGo={onGo} />}
      </SpaceBetween>
    </Container>
  )
}

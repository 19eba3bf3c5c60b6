import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type FunctionView, testApi } from '../function-calls.ts'
import { RanView } from './RanView.tsx'

const start = JSON.stringify({ name: 'Ada' }, null, 2)

/** An event, kept or written here, and what the function makes of it. */
export function TestDrawer({ of, isChanged }: { of: FunctionView; isChanged: boolean }) {
  const { t } = useTranslation('build/functions')
  const { functionId, functionName, projectId } = of
  const [event, setEvent] = useState(start)
  const [name, setName] = useState('')
  const kept = useCall(testApi.listTestEvents, { params: { functionId } })
  const test = useAction(testApi.testFunction, { errors: 'form' })
  const create = useAction(testApi.createTestEvent)
  const update = useAction(testApi.updateTestEvent)
  const [ran, setRan] = useState<Awaited<ReturnType<typeof test.run>>>()
  const events = kept.data?.list ?? []
  const known = events.find(one => one.name === name)
  const isJson = readJson(event) !== undefined
  const run = async () =>
    setRan(
      await test.run({
        params: { a: functionName, b: '$latest' },
        query: { projectId },
        body: { event: readJson(event) },
      }),
    )
  const keep = () =>
    void (known ? update : create).run({ params: { functionId, name: name.trim() }, body: { content: event } })
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={isChanged ? t('testsSaved') : t('testText')}
          actions={
            <Can call={testApi.testFunction}>
              <Button
                variant="primary"
                data-action="test"
                disabled={!isJson}
                loading={test.isRunning}
                onClick={() => void run()}
              >
                {t('run')}
              </Button>
            </Can>
          }
        >
          {t('test')}
        </Header>
      }
    >
      <div className="fn-test">
        <SpaceBetween size="s">
          {events.length > 0 && (
            <FormField label={t('keptEvents')}>
              <div translate="no">
                <Select
                  selectedOption={known ? { value: known.name, label: known.name } : null}
                  placeholder={t('choose')}
                  options={events.map(one => ({ value: one.name, label: one.name }))}
                  onChange={({ detail }) => {
                    const chosen = events.find(one => one.name === detail.selectedOption.value)
                    setName(chosen?.name ?? '')
                    setEvent(chosen?.content ?? event)
                  }}
                />
              </div>
            </FormField>
          )}
          <CodeEditor
            value={event}
            onChange={setEvent}
            label={t('event')}
            language="json"
            lines={{ least: 6, most: 12 }}
          />
          {!isJson && <Box color="text-status-error">{t('noJson')}</Box>}
          <Can call={testApi.createTestEvent}>
            <div className="fn-keep">
              <Input
                value={name}
                placeholder={t('eventName')}
                ariaLabel={t('eventName')}
                onChange={({ detail }) => setName(detail.value)}
              />
              <Button
                disabled={!isJson || !/^[A-Za-z0-9_ -]{1,64}$/.test(name.trim())}
                loading={create.isRunning || update.isRunning}
                onClick={keep}
              >
                {t('keepEvent')}
              </Button>
            </div>
          </Can>
        </SpaceBetween>
        <div>
          {test.error && <Alert type="error">{errorText(test.error)}</Alert>}
          {ran ? <RanView ran={ran} /> : !test.error && <Box color="text-body-secondary">{t('notRun')}</Box>}
        </div>
      </div>
    </Container>
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

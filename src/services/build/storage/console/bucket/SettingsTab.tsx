import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { LifecycleRule } from '../../rules.ts'
import { api, type BucketView } from '../storage-calls.ts'
import { LifecycleRows } from './LifecycleRows.tsx'

const MiB = 1024 ** 2

/** How a bucket keeps its files, and which it takes. */
export function SettingsTab({ bucket }: { bucket: BucketView }) {
  const { t } = useTranslation('build/storage')
  const [isKept, setKept] = useState(bucket.versioning === 'ON')
  const [size, setSize] = useState(bucket.maxObjectBytes === null ? '' : String(bucket.maxObjectBytes / MiB))
  const [types, setTypes] = useState(bucket.allowedTypes.join('\n'))
  const [lifecycle, setLifecycle] = useState<LifecycleRule[]>(bucket.lifecycle)
  const save = useAction(api.updateBucket, { errors: 'form' })
  const isSizeWrong = size !== '' && !(Number(size) > 0)
  const submit = () =>
    save.run({
      body: {
        bucketId: bucket.bucketId,
        revision: bucket.revision,
        maxObjectBytes: size === '' ? null : Math.round(Number(size) * MiB),
        allowedTypes: types.split(/\s+/).filter(one => one !== ''),
        lifecycle,
        ...(isKept === (bucket.versioning === 'ON') ? {} : { versioning: isKept ? 'ON' : 'PAUSED' }),
      },
    })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (!isSizeWrong) void submit()
      }}
    >
      <Form
        errorText={save.error && errorText(save.error)}
        actions={
          <Can call={api.updateBucket}>
            <Button variant="primary" formAction="submit" data-action="save" loading={save.isRunning}>
              {t('save')}
            </Button>
          </Can>
        }
      >
        <SpaceBetween size="l">
          <Container header={<Header variant="h2">{t('versioning.title')}</Header>}>
            <Toggle
              checked={isKept}
              description={t('versioning.hint')}
              onChange={({ detail }) => setKept(detail.checked)}
            >
              {t('versioning.keep')}
            </Toggle>
          </Container>
          <Container header={<Header variant="h2">{t('taken.title')}</Header>}>
            <SpaceBetween size="m">
              <FormField
                label={t('taken.size')}
                description={t('taken.sizeHint')}
                errorText={isSizeWrong ? t('taken.sizeWrong') : undefined}
              >
                <Input value={size} inputMode="decimal" onChange={({ detail }) => setSize(detail.value)} />
              </FormField>
              <FormField label={t('taken.types')} description={t('taken.typesHint')}>
                <Textarea value={types} rows={3} onChange={({ detail }) => setTypes(detail.value)} />
              </FormField>
            </SpaceBetween>
          </Container>
          <Container
            header={
              <Header variant="h2" description={t('lifecycle.text')}>
                {t('lifecycle.title')}
              </Header>
            }
          >
            <LifecycleRows rules={lifecycle} onChange={setLifecycle} />
          </Container>
        </SpaceBetween>
      </Form>
    </form>
  )
}

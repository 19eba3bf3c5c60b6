import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { imageProblem } from '../images/rules.ts'
import { namePattern, type RuntimeId, usualRuntime } from '../rules.ts'
import { api } from './function-calls.ts'
import { ImageField } from './ImageField.tsx'

/** A new function that greets; its page opens. */
export function NewFunctionDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('build/functions')
  const [name, setName] = useState('')
  const [type, setType] = useState('0')
  const [runtime, setRuntime] = useState<RuntimeId>(usualRuntime)
  const runtimes = useCall(api.listRuntimes, {})
  const [description, setDescription] = useState('')
  const [image, setImage] = useState('')
  const isImage = runtime === 'image'
  const isNamed = new RegExp(namePattern).test(name)
  const isRight = isNamed && (!isImage || imageProblem(image) === null)
  const create = useAction(api.createFunctionWithCode, {
    errors: 'form',
    onDone: ({ functionId }) => location.assign(hrefOf('/functions/$functionId', { functionId }, { projectId })),
  })
  const submit = () =>
    void create.run({
      body: {
        ...{ projectId, functionName: name, runtime, ...(description && { description }) },
        ...(isImage ? { image: { reference: image } } : { functionType: Number(type) }),
      },
    })
  return (
    <DialogBox
      title={t('new')}
      verb={t('create')}
      action="create"
      isRunning={create.isRunning}
      canSubmit={isRight}
      refusal={create.error && errorText(create.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField
        label={t('name')}
        constraintText={t('nameHint')}
        errorText={name !== '' && !isNamed ? t('nameWrong') : undefined}
      >
        <Input value={name} spellcheck={false} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      {!isImage && (
        <FormField label={t('kind')}>
          <RadioGroup
            value={type}
            onChange={({ detail }) => setType(detail.value)}
            items={['0', '1'].map(value => ({
              ...{ value, label: t(`kinds.${value}`), description: t(`kindTexts.${value}`) },
            }))}
          />
        </FormField>
      )}
      <FormField label={t('runtime')} errorText={runtimes.error && errorText(runtimes.error)}>
        <RadioGroup
          value={runtime}
          onChange={({ detail }) => setRuntime(detail.value as RuntimeId)}
          items={(runtimes.data?.runtimes ?? []).map(one => ({
            value: one.id,
            label: one.id === 'image' ? t('image.label') : <span translate="no">{one.label}</span>,
            description: one.isThere ? t(`runtimeTexts.${one.id}`) : <NotHere {...one} />,
            disabled: !one.isThere,
          }))}
        />
      </FormField>
      {isImage && <ImageField value={image} onChange={setImage} />}
      <FormField label={t('description')}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </DialogBox>
  )
}

/** Why a runtime cannot be chosen, and what the operator can do about it. */
function NotHere({ lack, why, install }: { lack: string | null; why: string | null; install: string | null }) {
  const { t } = useTranslation('build/functions')
  return (
    <>
      {t('runtimeMissing')} {lack ? t(`lacks.${lack}`) : <span translate="no">{why}</span>}{' '}
      {install && <code translate="no">{install}</code>}
    </>
  )
}

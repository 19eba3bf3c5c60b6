import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { layerNamePattern, layerScopes } from '../../layers/rules.ts'
import { type LayerView, layersApi } from '../function-calls.ts'
import { isTooLarge, PackageField } from '../PackageField.tsx'
import { usePackageSending } from '../package-sending.ts'

interface LayerDialogProps {
  projectId: string
  /** Null for a new one; else its next version is made. */
  layer: LayerView | null
  onClose: () => void
}

/** A package is sent to its own address, and becomes a layer or the next version of one. */
export function LayerDialog({ projectId, layer, onClose }: LayerDialogProps) {
  const { t } = useTranslation('build/functions')
  const [name, setName] = useState(layer?.name ?? '')
  const [scope, setScope] = useState<(typeof layerScopes)[number]>('PROJECT')
  const [description, setDescription] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const sending = usePackageSending()
  const create = useAction(layersApi.createLayer, { errors: 'form', onDone: onClose })
  const add = useAction(layersApi.createLayerVersion, { errors: 'form', onDone: onClose })
  const error = create.error ?? add.error

  const submit = async () => {
    const fileKey = file && (await sending.send(file))
    if (!fileKey) return
    const said = description === '' ? {} : { description }
    if (layer) await add.run({ params: { name: layer.name }, query: { projectId }, body: { fileKey, ...said } })
    else await create.run({ body: { projectId, name, scope, fileKey, ...said } })
  }

  return (
    <DialogBox
      title={layer ? t('layers.versionOf', { name: layer.name }) : t('layers.new')}
      verb={t('create')}
      action="layer"
      isRunning={sending.isSending || create.isRunning || add.isRunning}
      canSubmit={file !== null && !isTooLarge(file) && new RegExp(layerNamePattern).test(name)}
      refusal={isTooLarge(file) ? t('package.tooLarge') : (sending.refusal ?? (error && errorText(error)))}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!layer && (
        <>
          <FormField label={t('name')} constraintText={t('layers.nameHint')}>
            <Input value={name} spellcheck={false} onChange={({ detail }) => setName(detail.value)} />
          </FormField>
          <FormField label={t('layers.scope')}>
            <RadioGroup
              value={scope}
              onChange={({ detail }) => setScope(detail.value as typeof scope)}
              items={layerScopes.map(value => ({ value, label: t(`layers.scopes.${value}`) }))}
            />
          </FormField>
        </>
      )}
      <FormField label={t('description')}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
      <PackageField file={file} hint={t('layers.fileHint')} sentBytes={sending.sentBytes} onFile={setFile} />
    </DialogBox>
  )
}

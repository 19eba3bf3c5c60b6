import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { ownAddress } from '../../../../../console/own-address.ts'
import { putBytes } from '../../../../../console/put-bytes.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { layerNamePattern, layerScopes } from '../../layers/rules.ts'
import { limits } from '../../rules.ts'
import { type LayerView, layersApi } from '../function-calls.ts'

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
  const [sent, setSent] = useState<number | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const makeUpload = useAction(layersApi.makeUpload, { errors: 'form' })
  const create = useAction(layersApi.createLayer, { errors: 'form', onDone: onClose })
  const add = useAction(layersApi.createLayerVersion, { errors: 'form', onDone: onClose })
  const isTooLarge = file !== null && file.size > limits.zipBytes
  const error = makeUpload.error ?? create.error ?? add.error

  const submit = async () => {
    if (!file) return
    setFault(null)
    const target = await makeUpload.run({ body: { fileName: file.name, size: file.size } })
    if (!target) return
    setSent(0)
    try {
      await putBytes(ownAddress(target.uploadUrl), file, { headers: target.headers, onProgress: setSent })
    } catch (broken) {
      setFault(isCallError(broken) ? errorText(broken) : String(broken))
      return
    } finally {
      setSent(null)
    }
    const { fileKey } = target
    const said = description === '' ? {} : { description }
    if (layer) await add.run({ params: { name: layer.name }, query: { projectId }, body: { fileKey, ...said } })
    else await create.run({ body: { projectId, name, scope, fileKey, ...said } })
  }

  return (
    <DialogBox
      title={layer ? t('layers.versionOf', { name: layer.name }) : t('layers.new')}
      verb={t('create')}
      action="layer"
      isRunning={makeUpload.isRunning || create.isRunning || add.isRunning || sent !== null}
      canSubmit={file !== null && !isTooLarge && new RegExp(layerNamePattern).test(name)}
      refusal={isTooLarge ? t('layers.tooLarge') : (fault ?? (error && errorText(error)))}
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
      <FileDrop
        label={file?.name ?? t('layers.file')}
        hint={t('layers.fileHint')}
        accept=".zip"
        onFiles={([taken]) => taken && setFile(taken)}
      />
      {sent !== null && file && (
        <ProgressBar value={(sent * 100) / Math.max(1, file.size)} label={t('layers.sending')} />
      )}
    </DialogBox>
  )
}

import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import Slider from '@cloudscape-design/components/slider'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { refusalText } from '../../../../../console/refusal-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { aliasPattern, latest } from '../../rules.ts'
import { type Alias, aliasApi } from '../function-calls.ts'
import { SplitBar } from './SplitBar.tsx'

interface AliasDialogProps {
  functionId: string
  alias: Alias | null
  versions: readonly string[]
  onClose: () => void
}

/** Where a name leads: one version, or two with a share of the calls each. */
export function AliasDialog({ functionId, alias, versions, onClose }: AliasDialogProps) {
  const { t } = useTranslation('build/functions')
  const [name, setName] = useState(alias?.name ?? 'live')
  const [version, setVersion] = useState(alias?.version ?? versions.find(one => one !== latest) ?? latest)
  const [other, setOther] = useState(alias?.additional?.version ?? '')
  const [weight, setWeight] = useState(alias?.additional?.weight ?? 10)
  const create = useAction(aliasApi.createAlias, { errors: 'form', onDone: onClose })
  const update = useAction(aliasApi.updateAlias, { errors: 'form', onDone: onClose })
  const action = alias ? update : create
  const isByRule = alias?.additional?.mode === 'RULE' && other === alias.additional.version
  const additional =
    other === '' ? null : isByRule ? alias.additional : { version: other, mode: 'WEIGHT' as const, weight }
  const submit = () => {
    if (alias)
      void update.run({
        params: { functionId, name: alias.name },
        body: { revision: alias.revision, version, additional },
      })
    else void create.run({ params: { functionId }, body: { name, version, additional } })
  }
  const options = versions.map(value => ({ value, label: value }))
  const others = [
    { value: '', label: t('nowhereElse') },
    ...options.filter(one => one.value !== latest && one.value !== version),
  ]
  return (
    <DialogBox
      title={alias ? t('editAlias', { name: alias.name }) : t('newAlias')}
      action="alias"
      isRunning={action.isRunning}
      canSubmit={new RegExp(aliasPattern).test(name)}
      refusal={action.error && refusalText(action.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      {!alias && (
        <FormField label={t('name')}>
          <Input value={name} spellcheck={false} onChange={({ detail }) => setName(detail.value)} />
        </FormField>
      )}
      <FormField label={t('version')}>
        <Select
          selectedOption={{ value: version, label: version }}
          options={options}
          onChange={({ detail }) => setVersion(detail.selectedOption.value ?? version)}
        />
      </FormField>
      <FormField label={t('secondVersion')} description={t('secondVersionText')}>
        <Select
          selectedOption={others.find(one => one.value === other) ?? others[0] ?? null}
          options={others}
          onChange={({ detail }) => setOther(detail.selectedOption.value ?? '')}
        />
      </FormField>
      {other !== '' && !isByRule && (
        <FormField label={t('share', { value: weight })}>
          <Slider
            value={weight}
            min={0}
            max={100}
            ariaLabel={t('share', { value: weight })}
            onChange={({ detail }) => setWeight(detail.value)}
          />
        </FormField>
      )}
      <SplitBar version={version} additional={additional} />
    </DialogBox>
  )
}

import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { TypeView } from '../../contract.ts'
import { changeOf, typeProblems } from '../../design/rules.ts'
import type { ObjectType, Plan } from '../../schema/contract.ts'
import { defaultPermissions } from '../../schema/rules.ts'
import { databaseApi } from '../database-calls.ts'
import { FieldLines } from './FieldLines.tsx'
import { IndexLines } from './IndexLines.tsx'
import { PlanView } from './PlanView.tsx'
import { RightsMatrix } from './RightsMatrix.tsx'

const blank: ObjectType = {
  objectTypeName: '',
  fields: [{ fieldName: 'id', fieldType: 'String', belongPrimaryKey: true }],
  indexes: [],
  permissions: defaultPermissions.map(one => ({ role: one.role, rights: [...one.rights] })),
}

interface TypeDialogProps {
  projectId: string
  version: number
  before: TypeView | null
  onClose: () => void
}

/** Designs a type. What it would do is shown before it is done; what cannot be is said as it is typed. */
export function TypeDialog({ projectId, version, before, onClose }: TypeDialogProps) {
  const { t } = useTranslation('build/cloud-db')
  const [type, setType] = useState<ObjectType>(before ? pick(before) : blank)
  const [plan, setPlan] = useState<Plan | null>(null)
  const create = useAction(databaseApi.createObjectType, { errors: 'form' })
  const change = useAction(databaseApi.changeObjectType, { errors: 'form' })
  const edit = (part: Partial<ObjectType>) => {
    setPlan(null)
    setType({ ...type, ...part })
  }
  const problems = [...(before ? changeOf(pick(before), type).problems : []), ...typeProblems(type)]
  const shown = type.objectTypeName === '' ? problems.filter(one => one.pointer !== '/objectTypeName') : problems
  const send = (dryRun: boolean) =>
    before
      ? change.run({ body: { projectId, objectType: type, baseVersion: version, dryRun } })
      : create.run({ body: { projectId, objectType: type, dryRun } })
  const submit = async () => {
    const answer = await send(plan === null)
    if (!answer) return
    if (answer.applied) onClose()
    else setPlan(answer.plan)
  }
  const error = create.error ?? change.error
  return (
    <DialogBox
      size="large"
      title={before ? t('types.editTitle', { name: before.objectTypeName }) : t('types.create')}
      verb={t(plan ? 'types.apply' : 'types.preview')}
      action="cloudDb.applyType"
      isRunning={create.isRunning || change.isRunning}
      canSubmit={problems.length === 0}
      refusal={error && errorText(error)}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      {!before && (
        <FormField label={t('types.name')} constraintText={t('types.nameHint')}>
          <Input
            value={type.objectTypeName}
            spellcheck={false}
            onChange={({ detail }) => edit({ objectTypeName: detail.value })}
          />
        </FormField>
      )}
      <Tabs
        tabs={[
          {
            id: 'fields',
            label: t('types.fields'),
            content: (
              <FieldLines fields={type.fields} kept={before?.fields ?? []} onChange={fields => edit({ fields })} />
            ),
          },
          {
            id: 'indexes',
            label: t('types.indexes'),
            content: <IndexLines indexes={type.indexes} fields={type.fields} onChange={indexes => edit({ indexes })} />,
          },
          {
            id: 'rights',
            label: t('types.rights'),
            content: <RightsMatrix type={type} onChange={permissions => edit({ permissions })} />,
          },
        ]}
      />
      {shown.length > 0 && (
        <Alert type="info">
          <SpaceBetween size="xxs">
            {shown.slice(0, 6).map(one => (
              <div key={one.pointer + one.code}>
                <code translate="no">{placeOf(type, one.pointer)}</code>:{' '}
                {t(`problems.${one.code}`, { defaultValue: one.message })}
              </div>
            ))}
          </SpaceBetween>
        </Alert>
      )}
      {plan && <PlanView plan={plan} />}
    </DialogBox>
  )
}

const pick = ({ objectTypeName, fields, indexes, permissions }: ObjectType): ObjectType => ({
  objectTypeName,
  fields,
  indexes,
  permissions,
})

/** `/fields/2/notNull` by the field's own name. */
function placeOf(type: ObjectType, pointer: string): string {
  const [, part, at, name] = pointer.split('/')
  if (part === 'fields' && at !== undefined)
    return `${type.fields[Number(at)]?.fieldName || at}${name ? `.${name}` : ''}`
  if (part === 'indexes' && at !== undefined) return type.indexes[Number(at)]?.indexName || at
  return part ?? ''
}

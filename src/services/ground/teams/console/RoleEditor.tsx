import './teams.css'
import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Checkbox from '@cloudscape-design/components/checkbox'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { roles } from '../roles/contract.ts'
import { teamRoles } from '../rules.ts'
import { type RoleView, roleApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

interface RoleEditorProps {
  /** Null makes a new one. */
  role: RoleView | null
  permissions: readonly { permission: string; group: string; dangerous: boolean }[]
  onClose: () => void
}

/** A role of the team, with what it has more and less than the built-in role it started from. */
export function RoleEditor({ role, permissions, onClose }: RoleEditorProps) {
  const { t } = useTranslation('ground/teams')
  const { all, nameOf, rights } = useRoles()
  const form = useContractForm(roles.calls.createRole.body, {
    name: role?.name ?? '',
    description: role?.description ?? '',
    ...(role?.basedOn && { basedOn: role.basedOn }),
    permissions: role?.permissions ?? [],
  })
  const done = {
    errors: 'form' as const,
    onDone: (saved: { name: string | null }) => {
      notify({ tone: 'success', text: t('ownRoles.saved', { name: saved.name }) })
      onClose()
    },
  }
  const create = useAction(roleApi.createRole, done)
  const update = useAction(roleApi.updateRole, done)
  const { watch, setValue, setError } = form.form
  const values = watch()
  const chosen = new Set(values.permissions)
  const base = all.find(one => one.role === values.basedOn)?.permissions
  const more = base ? [...chosen].filter(one => !base.includes(one)) : []
  const less = base ? base.filter(one => !chosen.has(one)) : []

  const offered = teamRoles.filter(one => one !== 'leader').map(one => ({ value: one, label: nameOf(one) }))
  const startFrom = (basedOn: string | undefined) => {
    const held = all.find(one => one.role === basedOn)?.permissions ?? []
    setValue(
      'permissions',
      held.filter(one => rights.has(one)),
    )
  }
  const submit = (body: typeof values) => {
    if (body.permissions.length === 0) return setError('root', { type: 'required', message: t('ownRoles.nothing') })
    const { name, description = '', permissions: wanted } = body
    return role
      ? update.run({ body: { roleId: role.role, name, description, permissions: wanted, revision: role.revision } })
      : create.run({ body })
  }
  const label = (one: string) => t(`permissions.${one.replace('.', '_')}`, { defaultValue: one })

  return (
    <Modal
      visible
      size="large"
      header={role ? t('ownRoles.editOf', { name: role.name }) : t('ownRoles.create')}
      onDismiss={onClose}
    >
      <ContractFormBox
        of={form}
        action={role ? update : create}
        submit={submit}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('ownRoles.name')} />
        <TextField of={form} name="description" label={t('ownRoles.description')} />
        {!role && (
          <FormField of={form} name="basedOn" label={t('ownRoles.basedOn')}>
            {field => (
              <Select
                ref={field.ref}
                selectedOption={offered.find(one => one.value === field.value) ?? null}
                options={offered}
                placeholder={t('ownRoles.basedOnNone')}
                onBlur={field.onBlur}
                onChange={({ detail }) => {
                  field.onChange(detail.selectedOption.value)
                  startFrom(detail.selectedOption.value)
                }}
              />
            )}
          </FormField>
        )}
        {base && (
          <Box variant="p" color="text-body-secondary">
            {more.length + less.length === 0
              ? t('ownRoles.same', { role: nameOf(values.basedOn ?? '') })
              : t('ownRoles.difference', { role: nameOf(values.basedOn ?? '') })}{' '}
            {more.map(one => (
              <Badge key={one} color="green">{`+ ${label(one)}`}</Badge>
            ))}{' '}
            {less.map(one => (
              <Badge key={one} color="red">{`− ${label(one)}`}</Badge>
            ))}
          </Box>
        )}
        {[...Map.groupBy(permissions, one => one.group)].map(([group, inGroup]) => (
          <ExpandableSection
            key={group}
            headingTagOverride="h3"
            headerText={`${t(`permissionGroups.${group}`, { defaultValue: group })} (${inGroup.filter(one => chosen.has(one.permission)).length}/${inGroup.length})`}
          >
            {inGroup.map(({ permission, dangerous }) => (
              <Checkbox
                key={permission}
                checked={chosen.has(permission)}
                disabled={!rights.has(permission)}
                description={
                  rights.has(permission) ? (dangerous ? t('ownRoles.dangerous') : undefined) : t('roleChoice.above')
                }
                onChange={({ detail }) =>
                  setValue(
                    'permissions',
                    detail.checked ? [...chosen, permission] : [...chosen].filter(one => one !== permission),
                  )
                }
              >
                {label(permission)}
              </Checkbox>
            ))}
          </ExpandableSection>
        ))}
      </ContractFormBox>
    </Modal>
  )
}

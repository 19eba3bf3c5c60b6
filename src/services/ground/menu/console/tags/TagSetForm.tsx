import '../menu.css'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { menu } from '../../contract.ts'
import { limits, repeatedTag, tagColours } from '../../rules.ts'
import { api, type TagSetView } from '../menu-calls.ts'

type TagSetWords = Pick<TagSetView, 'name' | 'tags'>

/** Makes a tag set, or changes one: its name, and its tags with their colours. */
export function TagSetForm({ row, onClose }: { row: TagSetView | null; onClose: () => void }) {
  const { t } = useTranslation('ground/menu')
  const form = useContractForm(menu.calls.createTagSet.body, {
    name: row?.name ?? '',
    tags: row?.tags ?? [{ name: '', colour: 'blue' }],
  })
  const { fields, append, remove } = useFieldArray({ control: form.form.control, name: 'tags' })
  const create = useAction(api.createTagSet, { errors: 'form', onDone: onClose })
  const update = useAction(api.updateTagSet, { errors: 'form', onDone: onClose })
  const submit = (body: TagSetWords) => {
    const at = repeatedTag(body.tags)
    if (at >= 0) {
      const message = t('tags.twice', { name: body.tags[at]?.name })
      return form.form.setError(`tags.${at}.name`, { type: 'twice', message }, { shouldFocus: true })
    }
    return row
      ? update.run({ body: { ...body, tagSetId: row.tagSetId, revision: row.revision } })
      : create.run({ body })
  }
  const colours = tagColours.map(value => ({ value, label: t(`tags.colours.${value}`) }))
  return (
    <Modal visible header={row ? t('tags.change') : t('tags.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={row ? update : create}
        submit={submit}
        submitLabel={row ? t('action.save') : t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('groups.name')} hint={t('tags.nameHint')} />
        <FormField label={t('tags.tags')} constraintText={t('tags.limit', { count: limits.tags })}>
          <ul className="menu-tag-rows">
            {fields.map((field, at) => (
              <li key={field.id}>
                <TextField of={form} name={`tags.${at}.name`} label={t('tags.tag')} />
                <SelectField of={form} name={`tags.${at}.colour`} label={t('slots.tone')} options={colours} />
                <Button
                  variant="icon"
                  formAction="none"
                  iconName="remove"
                  ariaLabel={t('tags.removeOf', { at: at + 1 })}
                  onClick={() => remove(at)}
                />
              </li>
            ))}
          </ul>
          <Button
            formAction="none"
            iconName="add-plus"
            data-action="addTag"
            disabled={fields.length >= limits.tags}
            onClick={() => append({ name: '', colour: 'grey' })}
          >
            {t('tags.add')}
          </Button>
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}

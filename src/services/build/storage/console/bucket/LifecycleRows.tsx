import AttributeEditor from '@cloudscape-design/components/attribute-editor'
import Input from '@cloudscape-design/components/input'
import { useTranslation } from 'react-i18next'
import { type LifecycleRule, limits } from '../../rules.ts'

const numbers = ['expireDays', 'olderVersionDays', 'abortDays'] as const

/** What becomes of files as they age, a row a prefix. */
export function LifecycleRows({
  rules,
  onChange,
}: {
  rules: LifecycleRule[]
  onChange: (rules: LifecycleRule[]) => void
}) {
  const { t } = useTranslation('build/storage')
  const set = (at: number, change: Partial<LifecycleRule>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...change } : rule)))
  const days = (name: (typeof numbers)[number]) => ({
    label: t(`lifecycle.${name}`),
    control: (rule: LifecycleRule, at: number) => (
      <Input
        type="number"
        inputMode="numeric"
        ariaLabel={t(`lifecycle.${name}`)}
        value={rule[name] === undefined ? '' : String(rule[name])}
        onChange={({ detail }) =>
          set(at, { [name]: detail.value === '' ? undefined : Math.max(1, Math.trunc(Number(detail.value))) })
        }
      />
    ),
  })
  return (
    <AttributeEditor
      items={rules}
      definition={[
        {
          label: t('lifecycle.prefix'),
          control: (rule, at) => (
            <Input
              ariaLabel={t('lifecycle.prefix')}
              placeholder={t('lifecycle.all')}
              value={rule.prefix}
              onChange={({ detail }) => set(at, { prefix: detail.value })}
            />
          ),
        },
        ...numbers.map(days),
      ]}
      addButtonText={t('lifecycle.add')}
      removeButtonText={t('remove')}
      disableAddButton={rules.length >= limits.lifecycleRules}
      onAddButtonClick={() => onChange([...rules, { prefix: '' }])}
      onRemoveButtonClick={({ detail }) => onChange(rules.filter((_rule, at) => at !== detail.itemIndex))}
      empty={t('lifecycle.none')}
    />
  )
}

import AttributeEditor from '@cloudscape-design/components/attribute-editor'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type CacheRule, cachePatternProblem, limits } from '../../rules.ts'
import { hostingApi } from '../storage-calls.ts'

/** How long caches may keep files of a site, a row a pattern, and which files each would decide. */
export function CacheRules({
  bucketId,
  rules,
  onChange,
}: {
  bucketId: string
  rules: CacheRule[]
  onChange: (rules: CacheRule[]) => void
}) {
  const { t } = useTranslation('build/storage')
  const [previewed, setPreviewed] = useState<CacheRule[] | null>(null)
  const set = (at: number, change: Partial<CacheRule>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...change } : rule)))
  const isRight = rules.every(rule => cachePatternProblem(rule.pattern) === null)
  return (
    <SpaceBetween size="s">
      <AttributeEditor
        items={rules}
        definition={[
          {
            label: t('cache.pattern'),
            errorText: rule => rule.pattern !== '' && cachePatternProblem(rule.pattern) !== null && t('cache.wrong'),
            control: (rule, at) => (
              <Input
                ariaLabel={t('cache.pattern')}
                placeholder="*.css"
                value={rule.pattern}
                onChange={({ detail }) => set(at, { pattern: detail.value })}
              />
            ),
          },
          {
            label: t('cache.seconds'),
            control: (rule, at) => (
              <Input
                type="number"
                inputMode="numeric"
                ariaLabel={t('cache.seconds')}
                value={String(rule.ttlSeconds)}
                onChange={({ detail }) =>
                  set(at, { ttlSeconds: Math.min(31_536_000, Math.max(0, Math.trunc(Number(detail.value)) || 0)) })
                }
              />
            ),
          },
        ]}
        addButtonText={t('cache.add')}
        removeButtonText={t('remove')}
        disableAddButton={rules.length >= limits.cacheRules}
        onAddButtonClick={() => onChange([...rules, { pattern: '', ttlSeconds: 3_600 }])}
        onRemoveButtonClick={({ detail }) => onChange(rules.filter((_rule, at) => at !== detail.itemIndex))}
        empty={t('cache.none')}
      />
      <Button data-action="preview-cache" disabled={!isRight} onClick={() => setPreviewed(rules)}>
        {t('cache.preview')}
      </Button>
      {previewed && <Preview bucketId={bucketId} rules={previewed} />}
    </SpaceBetween>
  )
}

function Preview({ bucketId, rules }: { bucketId: string; rules: CacheRule[] }) {
  const { t } = useTranslation('build/storage')
  const found = useCall(hostingApi.previewCacheRules, { body: { bucketId, cacheRules: rules } }, { keepBefore: true })
  if (found.error) return <Box color="text-status-error">{errorText(found.error)}</Box>
  if (!found.data) return <Box>{t('cache.looking')}</Box>
  const { hits, others, looked, isWhole } = found.data
  const line = (name: string, { count, examples }: typeof others) => (
    <li key={name} className="storage-path">
      <span translate="no">{name}</span>: {t('cache.hits', { count })}
      {examples.length > 0 && <span translate="no"> ({examples.join(', ')})</span>}
    </li>
  )
  return (
    <div data-part="cache-preview">
      <Box>{t(isWhole ? 'cache.looked' : 'cache.lookedSome', { count: looked })}</Box>
      <ul>
        {hits.map((hit, at) => line(`${at + 1}. ${rules[at]?.pattern ?? ''}`, hit))}
        {line(t('cache.others'), others)}
      </ul>
    </div>
  )
}

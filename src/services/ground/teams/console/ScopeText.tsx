import { useTranslation } from 'react-i18next'
import type { ScopeView } from './team-calls.ts'

/** A scope in a few words: the whole team, or how many projects and apps. */
export function ScopeText({ scope }: { scope: ScopeView }) {
  const { t } = useTranslation('ground/teams')
  if (scope.all) return t('scope.all')
  const { projects = [], apps = [] } = scope
  return [
    ...(projects.length > 0 ? [t('scope.projectCount', { count: projects.length })] : []),
    ...(apps.length > 0 ? [t('scope.appCount', { count: apps.length })] : []),
  ].join(' · ')
}

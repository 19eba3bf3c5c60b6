import { useTranslation } from 'react-i18next'
import type { ZoneId } from '../../kernel/zones.ts'

/** A place where data stays, by its name: "Europe". */
export function ZoneName({ zone }: { zone: ZoneId }) {
  const { t } = useTranslation()
  return <>{t(`zones.${zone}`)}</>
}

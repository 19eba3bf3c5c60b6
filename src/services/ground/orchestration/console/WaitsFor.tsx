import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'

/** The services that steps wait for, each once. */
export function WaitsFor({ waits }: { waits: readonly { service: string }[] }) {
  const services = [...new Set(waits.map(one => one.service))]
  if (services.length === 0) return '–'
  return services.map(service => (
    <div key={service} className="process-waits">
      <StatusBadge tone="waiting" text={service} />
    </div>
  ))
}

import Badge from '@cloudscape-design/components/badge'

const colours = { GET: 'blue', POST: 'green', PUT: 'grey', DELETE: 'red' } as const

export function MethodBadge({ method }: { method: string }) {
  return <Badge color={colours[method as 'GET'] ?? 'grey'}>{method}</Badge>
}

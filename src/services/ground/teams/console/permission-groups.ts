/** `packages.upload` stands under `packages`; the order is the server's. */
export function groupedByService(permissions: readonly string[]): [service: string, permissions: string[]][] {
  return [...Map.groupBy(permissions, one => one.split('.')[0] ?? one)]
}

/** Of a layer: as of a package in a registry, without a scope. */
export const layerNamePattern = '^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$'
export const layerScopes = ['PROJECT', 'TEAM'] as const

export const layerLimits = { layers: 100, versions: 50, description: 1024, uploadSeconds: 900 } as const

export const settingsLimits = {
  properties: 100,
  propertyName: 64,
  propertyValue: 2000,
  mappings: 50,
  externalId: 200,
  description: 500,
} as const

/** Letters, digits and `_ - .`, beginning with a letter: what any SDK can name. */
export const propertyNamePattern = '^[A-Za-z][A-Za-z0-9_.-]{0,63}$'
/** The other system: `firebase`, `jira`, `app-store-connect`. */
export const systemPattern = '^[a-z][a-z0-9-]{0,39}$'

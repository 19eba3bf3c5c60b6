/** The routes of the specification, section 2, read from the address each time: nothing is remembered. */
export const mode = {
  /** A hash starting with `#/app/`: no frame around the page. */
  isEmbedded: (): boolean => location.hash.startsWith('#/app/'),
  /** `#/app/openTest`: no credentials, no CSRF header, no team header. */
  isOpenTest: (): boolean => location.hash.startsWith('#/app/openTest'),
  isDemoProject: (): boolean => location.href.includes('#/demoProject'),
  /** Addresses containing `hap/#/app` or `cis/#/app` never refresh the session. */
  skipsRefresh: (): boolean => /(?:hap|cis)\/#\/app/.test(location.href),
  /** The app of the embedded mode. */
  appId: (): string | null => new URLSearchParams(location.search).get('appId'),
} as const

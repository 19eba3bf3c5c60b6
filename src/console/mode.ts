const demoBase = '/demoProject'

/** The routes of the specification, section 2, read from the address each time: nothing is remembered. */
export const mode = {
  /** A hash starting with `#/app/`: no frame around the page. */
  isEmbedded: (): boolean => location.hash.startsWith('#/app/'),
  /** `#/app/openTest`: no credentials, no CSRF header, no team header. */
  isOpenTest: (): boolean => location.hash.startsWith('#/app/openTest'),
  /** An address containing `#/demoProject`: the whole console below it, over the project that visitors may read. */
  isDemoProject: (): boolean => location.href.includes(`#${demoBase}`),
  /** Addresses containing `hap/#/app` or `cis/#/app` never refresh the session. */
  skipsRefresh: (): boolean => /(?:hap|cis)\/#\/app/.test(location.pathname + location.hash),
  /** The app of the embedded mode. */
  appId: (): string | null =>
    new URLSearchParams(location.search).get('appId') ??
    new URLSearchParams(location.hash.split('?')[1] ?? '').get('appId'),
  /** What stands before the path of every page in its address. */
  basePath: (): string => (mode.isDemoProject() ? demoBase : ''),
  /**
   * A reseller page, pages that authenticate a credential and pages of the core platform: somebody else's session may be
   * under way there, so theirs is not cleared.
   */
  keepsSessionData: (hash = location.hash): boolean =>
    /^#\/(?:reseller|credential|core-platform)(?:\/|\?|$)/.test(hash),
} as const

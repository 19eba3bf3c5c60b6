/** Owners answer for a project, developers work on it, watchers are told of it. Rights come from the team's roles. */
export const projectRoles = ['owner', 'developer', 'watcher'] as const
export type ProjectRole = (typeof projectRoles)[number]

export const projectMemberLimit = 200

import { isBuiltin } from 'node:module'
import type { Plugin } from 'vite'

const serverOnly =
  /\/src\/(?:server\/|services\/.*\/(?:handlers|tables|queries|public|jobs)\.ts$|services\/.*\/engine\/)/

/** Stops a build that pulls server code or a Node module into the bundle, and names who asked for it. */
export function serverCodeGuard(): Plugin {
  return {
    name: 'loggia-server-code-guard',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const isOurs = importer !== undefined && !importer.includes('/node_modules/')
      if (source.startsWith('node:') || (isOurs && isBuiltin(source))) {
        this.error(`${importer} imports ${source}: a Node module cannot run in the browser`)
      }
      if (!isOurs) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      if (found && serverOnly.test(found.id.split('?')[0] ?? '')) {
        this.error(`${importer} imports ${found.id}: server code may not reach the browser`)
      }
      return found
    },
  }
}

import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * `require` looks through NODE_PATH by itself. What is imported does not, so packages that are not beside the code are looked
 * for in the layers.
 */
export function findInLayers(): void {
  const places = (process.env['NODE_PATH'] ?? '').split(':').filter(place => place !== '')
  const parents = places.map(place => pathToFileURL(path.join(place, '..', 'package.json')).href)
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        const isPackage = /^[@a-z0-9]/i.test(specifier) && !/^[a-z]+:/i.test(specifier)
        if (!isPackage || (error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
        for (const parentURL of parents) {
          try {
            return next(specifier, { ...context, parentURL })
          } catch {
            // The next layer may have it.
          }
        }
        throw error
      }
    },
  })
}

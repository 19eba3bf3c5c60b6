import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { brandVariables, cloudscapeTheme } from '../src/console/theme/tokens.ts'

const require = createRequire(import.meta.url)
const brandId = 'virtual:loggia-brand.css'
const themeId = 'virtual:loggia-theme.css'

interface Theming {
  preset: { theme: { selector: string }; themeable: string[]; propertiesMap: unknown }
}

/** Cloudscape's own theming code, run here so that neither it nor its 1,200 tokens reach the browser. */
function cloudscapeSheet(): string {
  const components = dirname(require.resolve('@cloudscape-design/components/package.json'))
  const shared = join(dirname(require.resolve('@cloudscape-design/theming-build')), '..', 'shared')
  const { preset } = require(join(components, 'internal/generated/theming/index.cjs')) as Theming
  const { validateOverride } = require(join(shared, 'theme/index.js'))
  const { getContexts } = require(join(shared, 'theme/validate.js'))
  const { createOverrideDeclarations } = require(join(shared, 'declaration/index.js'))
  const { createMultiThemeCustomizer } = require(join(shared, 'declaration/customizer.js'))
  const override = validateOverride(structuredClone(cloudscapeTheme), preset.themeable, getContexts(preset))
  return createOverrideDeclarations(
    preset.theme,
    override,
    preset.propertiesMap,
    createMultiThemeCustomizer(preset.theme.selector),
  )
}

function brandSheet(): string {
  const lines = (column: 0 | 1) =>
    Object.entries(brandVariables)
      .map(([name, values]) => `--lg-${name}:${values[column]};`)
      .join('')
  return `body{${lines(0)}}\nbody.awsui-dark-mode{${lines(1)}}\n`
}

async function themeSheet(): Promise<string> {
  const version = require('@cloudscape-design/components/package.json').version as string
  const stamp = createHash('sha256')
    .update(JSON.stringify([version, cloudscapeTheme]))
    .digest('hex')
  const folder = join(process.cwd(), 'node_modules/.cache/loggia-theme')
  const file = join(folder, `${stamp.slice(0, 16)}.css`)
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept
  const sheet = cloudscapeSheet()
  await mkdir(folder, { recursive: true })
  await writeFile(file, sheet)
  return sheet
}

/** Two sheets: `virtual:loggia-brand.css` (ours, small, for sign-in) and `virtual:loggia-theme.css` (Cloudscape's). */
export function loggiaTheme(): Plugin {
  return {
    name: 'loggia-theme',
    resolveId: id => (id === brandId || id === themeId ? `\0${id}` : undefined),
    load: id => (id === `\0${brandId}` ? brandSheet() : id === `\0${themeId}` ? themeSheet() : undefined),
  }
}

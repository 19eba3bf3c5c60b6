/**
 * Loggia's own face: travertine neutrals, a petrol primary, terracotta for the mark alone. Read at build time only;
 * `tools/vite-theme.ts` turns it into the stylesheet `virtual:loggia-theme.css`.
 */
const flat = (shades: Record<string, string>) => shades

const fontFamily =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Roboto, 'Helvetica Neue', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', Arial, sans-serif"
const monoFamily = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Noto Sans Mono', monospace"

export const cloudscapeTheme = {
  tokens: {
    fontFamilyBase: fontFamily,
    fontFamilyMonospace: monoFamily,
    borderRadiusButton: '6px',
    borderRadiusContainer: '10px',
    borderRadiusFlashbar: '8px',
    borderRadiusInput: '6px',
    borderRadiusItem: '6px',
    borderRadiusTabsFocusRing: '6px',
    colorBackgroundLayoutMain: { light: '{colorNeutral100}', dark: '{colorNeutral900}' },
    colorTextBodySecondary: { light: '{colorNeutral600}', dark: '{colorNeutral350}' },
    colorTextHeadingSecondary: { light: '{colorNeutral600}', dark: '{colorNeutral400}' },
  },
  contexts: {
    'top-navigation': {
      tokens: { colorBackgroundContainerContent: { light: '#11302f', dark: '#0f1615' } },
    },
  },
  referenceTokens: {
    color: {
      primary: flat({
        50: '#eef9f8',
        100: '#d6efed',
        200: '#b4e2df',
        300: '#83cfcb',
        400: '#54b9b4',
        500: '#239a98',
        600: '#0b6e70',
        700: '#08585a',
        800: '#074648',
        900: '#05393b',
        950: '#042a2c',
        1000: '#06201f',
      }),
      neutral: flat({
        50: '#fdfcfb',
        100: '#faf8f6',
        150: '#f7f5f2',
        200: '#f4f1ed',
        250: '#ece8e2',
        300: '#dfdad2',
        350: '#c9c3ba',
        400: '#b6b0a6',
        450: '#a69f95',
        500: '#8e877d',
        550: '#756f66',
        600: '#645f57',
        650: '#45423d',
        700: '#3a3834',
        750: '#2c2b29',
        800: '#242322',
        850: '#1d1d1c',
        900: '#171716',
        950: '#131312',
        1000: '#080807',
      }),
      info: flat({
        50: '#f1f6fd',
        100: '#dbe8f9',
        300: '#9dbfec',
        400: '#7faae6',
        600: '#2f5fa8',
        700: '#244b86',
        800: '#1c3b6a',
        950: '#12264a',
        1000: '#0a1526',
      }),
      success: flat({
        50: '#f2fbf2',
        100: '#e0f5e0',
        200: '#c4ebc5',
        400: '#7cc77f',
        500: '#4aa24f',
        600: '#2c7531',
        800: '#1f5a25',
        950: '#103214',
        1000: '#061407',
      }),
      error: flat({
        50: '#fff5f3',
        100: '#ffe2dd',
        400: '#f58a7c',
        600: '#b8291c',
        700: '#9f2117',
        800: '#7f1a12',
        900: '#5e130d',
        950: '#450e09',
        1000: '#1b0503',
      }),
    },
  },
} as const

/** Names for our own stylesheets, `--lg-…`; light first, dark second. */
export const brandVariables: Record<string, readonly [light: string, dark: string]> = {
  font: [fontFamily, fontFamily],
  mono: [monoFamily, monoFamily],
  page: ['#faf8f6', '#171716'],
  surface: ['#ffffff', '#1d1d1c'],
  'surface-sunk': ['#f4f1ed', '#242322'],
  line: ['#dfdad2', '#3a3834'],
  'line-strong': ['#8e877d', '#8e877d'],
  text: ['#131312', '#dfdad2'],
  'text-soft': ['#645f57', '#b6b0a6'],
  primary: ['#0b6e70', '#54b9b4'],
  'primary-strong': ['#08585a', '#83cfcb'],
  'primary-soft': ['#eef9f8', '#06201f'],
  'on-primary': ['#ffffff', '#0a1413'],
  terracotta: ['#b4532f', '#d98a68'],
  error: ['#b8291c', '#f58a7c'],
  'error-soft': ['#fff5f3', '#2a0f0b'],
  success: ['#2c7531', '#7cc77f'],
  info: ['#2f5fa8', '#7faae6'],
  warning: ['#855900', '#ffe347'],
  ink: ['#11302f', '#0f1615'],
  'on-ink': ['#f4f1ed', '#dfdad2'],
}

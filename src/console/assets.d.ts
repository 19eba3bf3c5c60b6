declare module '*.css' {}
declare module '*.svg' {
  const address: string
  export default address
}
declare module 'virtual:loggia-brand.css' {}
declare module 'virtual:loggia-theme.css' {}
interface ImportMeta {
  glob<T>(pattern: string | string[], options?: { eager?: boolean; import?: string }): Record<string, () => Promise<T>>
}

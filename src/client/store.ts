/** Where the last answer is kept between runs: `localStorage` in a browser; elsewhere nothing is kept unless one is given. */
export interface ConfigStore {
  get(name: string): string | null | Promise<string | null>
  set(name: string, text: string): void | Promise<void>
}

const nowhere: ConfigStore = { get: () => null, set: () => {} }

/** A browser may refuse its store by throwing at the first touch. */
const inBrowser: ConfigStore = {
  get: name => localStorage.getItem(name),
  set: (name, text) => localStorage.setItem(name, text),
}

export const ownStore = (): ConfigStore => ('document' in globalThis ? inBrowser : nowhere)

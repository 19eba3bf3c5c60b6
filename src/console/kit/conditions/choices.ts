/** What a builder of conditions proposes. */
export interface Choices {
  attributes: readonly string[]
  audiences: readonly { audienceId: string; name: string; size: number }[]
}

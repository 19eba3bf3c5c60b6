import { HighlightStyle } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const lineHeight = 21

/** Colours are those of the console, light or dark, which a shadow root inherits. */
export function editorTheme(least: number, most: number): Extension {
  return EditorView.theme({
    '&': { color: 'var(--lg-text)', backgroundColor: 'transparent', fontSize: '13px' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--lg-mono)',
      lineHeight: `${lineHeight}px`,
      minHeight: `${least * lineHeight + 12}px`,
      maxHeight: `${most * lineHeight + 12}px`,
      overflow: 'auto',
    },
    '.cm-content': { caretColor: 'var(--lg-text)', padding: '6px 0' },
    '.cm-cursor': { borderLeftColor: 'var(--lg-text)' },
    '.cm-gutters': {
      backgroundColor: 'var(--lg-surface-sunk)',
      color: 'var(--lg-text-soft)',
      borderRight: '1px solid var(--lg-line)',
    },
    '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--lg-primary) 7%, transparent)' },
    '.cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--lg-primary) 14%, transparent)' },
    '&.cm-focused > .cm-scroller .cm-selectionBackground, .cm-content ::selection': {
      backgroundColor: 'color-mix(in srgb, var(--lg-primary) 30%, transparent)',
    },
    '&.cm-focused .cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--lg-success) 25%, transparent)' },
    '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'color-mix(in srgb, var(--lg-error) 25%, transparent)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--lg-surface)',
      color: 'var(--lg-text)',
      border: '1px solid var(--lg-line-strong)',
      borderRadius: '6px',
      maxWidth: '560px',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--lg-primary)',
      color: 'var(--lg-on-primary)',
    },
    '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--lg-font)' },
    '.cm-diagnosticAction': { backgroundColor: 'var(--lg-primary)', color: 'var(--lg-on-primary)' },
    '.cm-mark': { position: 'relative' },
    '.cm-mark-good': { backgroundColor: 'color-mix(in srgb, var(--lg-success) 8%, transparent)' },
    '.cm-mark-bad': { backgroundColor: 'color-mix(in srgb, var(--lg-error) 8%, transparent)' },
    '.cm-mark-caution': { backgroundColor: 'color-mix(in srgb, var(--lg-warning) 9%, transparent)' },
    '.cm-markText': { color: 'var(--lg-text-soft)', fontStyle: 'italic', paddingLeft: '2ch' },
  })
}

/** Dark enough, or light enough, to be read on the tint of a line. */
const strong = (colour: string) => `color-mix(in srgb, var(${colour}) 78%, var(--lg-text))`

export const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--lg-text-soft)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--lg-primary)', fontWeight: '600' },
  { tag: tags.string, color: strong('--lg-success') },
  { tag: [tags.number, tags.bool, tags.null], color: strong('--lg-terracotta') },
  { tag: tags.namespace, color: strong('--lg-terracotta') },
  { tag: tags.propertyName, color: 'var(--lg-text)' },
  { tag: tags.standard(tags.variableName), color: 'var(--lg-primary)' },
  { tag: tags.function(tags.variableName), color: 'var(--lg-text)', fontWeight: '600' },
  { tag: tags.invalid, color: 'var(--lg-error)' },
])

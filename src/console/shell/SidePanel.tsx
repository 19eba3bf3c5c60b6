import SplitPanel from '@cloudscape-design/components/split-panel'
import type { PanelContent } from './split-panel.ts'

export default function SidePanel({ header, content }: PanelContent) {
  return (
    <SplitPanel header={header} hidePreferencesButton closeBehavior="hide">
      {content}
    </SplitPanel>
  )
}

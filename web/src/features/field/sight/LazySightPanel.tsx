/** The list of figures in sight, with its words, fetched when somebody looks from a figure. */
import { createElement } from 'react';
import { loadWords } from '../../../platform/i18n/app.ts';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { SightPanelProps } from './SightPanel.tsx';

const sightPanel = lazyPart(async () => {
  const [{ SightPanel }] = await Promise.all([import('./SightPanel.tsx'), loadWords(['relations'])]);
  return SightPanel;
});

/** The list of "Look from here" (docs/product.md#5.36). Mounted while somebody looks. */
export function LazySightPanel(props: SightPanelProps) {
  const panel = useLazyPart(sightPanel, true, props.onClose);
  return panel && createElement(panel, props);
}

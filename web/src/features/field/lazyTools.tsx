/** The field's toolbar and dialog, fetched when they are needed. */
import { createElement } from 'react';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import type { IconsDialogProps } from './icons/IconsDialog.tsx';
import type { FigureBarProps } from './tools/FigureBar.tsx';

/** The code of the selected figure's toolbar, for `useWarmUp`. */
export const figureBar = lazyPart(() => import('./tools/FigureBar.tsx').then((module) => module.FigureBar));
/** The code of the icons' dialog, for `useWarmUp`. */
export const iconsDialog = lazyPart(() => import('./icons/IconsDialog.tsx').then((module) => module.IconsDialog));

/** The selected figure's toolbar. Draws nothing until it is loaded. */
export function LazyFigureBar(props: FigureBarProps) {
  const bar = useLazyPart(figureBar, true);
  return bar && createElement(bar, props);
}

/** The dialog of own icons, fetched with its first opening. */
export function LazyIconsDialog(props: IconsDialogProps) {
  const dialog = useLazyPart(iconsDialog, props.opened, props.onClose);
  return dialog && <OpenAfterMount dialog={dialog} given={props} />;
}

/** The field in the browser: its drawing with everything around it. What draws nothing is in `acts/index.ts`. */
export { useUndoKeys } from './acts/useUndoKeys.ts';
export { whenAnswered } from './acts/whenAnswered.ts';
export type { FieldGround } from './drawing/index.ts';
export { figureName } from './figureLabels.ts';
export { type IconCalls, useIconLibrary } from './icons/iconLibrary.ts';
export { LazyPictureDialog } from './picture/save/lazyPictureDialog.tsx';
export { figureBar, iconsDialog, LazyFigureBar, LazyIconsDialog } from './lazyTools.tsx';
export { FieldStage, type FieldStageHandle, type FieldStageProps } from './stage/FieldStage.tsx';
export { focusField, SkipToField } from './stage/SkipToField.tsx';
export { FieldRail } from './tools/FieldRail.tsx';
export {
  FieldContext,
  type FieldStore,
  sameFaces,
  shownOf,
  useCanUndo,
  useFieldPart,
  useFieldStore,
  useShownFigure,
  useWornIcons,
} from './useField.ts';

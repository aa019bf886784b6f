/** The field in the browser: its drawing and everything around it. Code that draws nothing is in `acts/index.ts`. */
export { useUndoKeys } from './acts/useUndoKeys.ts';
export { whenAnswered } from './acts/whenAnswered.ts';
export type { FieldGround } from './drawing/index.ts';
export { figureName } from './figureLabels.ts';
export { type IconCalls, useIconLibrary } from './icons/iconLibrary.ts';
export { LazySavePictureDialog } from './picture/save/LazySavePictureDialog.tsx';
export { figureBar, iconsDialog, LazyFigureBar, LazyIconsDialog } from './lazyTools.tsx';
export { RoomField, type RoomFieldHandle, type RoomFieldProps } from './room/RoomField.tsx';
export { focusField, SkipToField } from './room/SkipToField.tsx';
export { FieldRail } from './tools/FieldRail.tsx';
export {
  FieldContext,
  type FieldRefusal,
  type FieldStore,
  sameFaces,
  shownOf,
  useCanUndo,
  useFieldPart,
  useFieldStore,
  useShownFigure,
  useWornIcons,
} from './useField.ts';

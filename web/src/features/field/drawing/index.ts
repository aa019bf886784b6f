export { FieldView } from './FieldView.tsx';
export type {
  CameraView,
  DropNote,
  FieldViewHandle,
  FieldViewProps,
  FieldViewTexts,
  FigureOnField,
  KeyAct,
} from './fieldViewTypes.ts';
export type { Place, Point } from './geometry.ts';

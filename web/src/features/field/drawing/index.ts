export { FieldView } from './FieldView.tsx';
export type {
  CameraView,
  DropNote,
  FieldViewHandle,
  FieldViewProps,
  FieldViewTexts,
  FigureOnField,
  KeyAct,
} from './FieldView.types.ts';
export type { Place, Point } from './geometry.ts';

export { FieldView } from './FieldView.tsx';
export type { CameraView, FieldViewHandle, FieldViewProps, FigureOnField, KeyAct } from './fieldViewTypes.ts';
export type { Place } from './geometry.ts';

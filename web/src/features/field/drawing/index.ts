export { FieldView } from './FieldView.tsx';
export type { CameraView, FieldViewHandle, FieldViewProps, FigureOnField, KeyAct } from './fieldViewTypes.ts';
export { type FieldGround, groundKind, groundLook } from './ground.ts';
export type { Place } from './geometry.ts';

export { FieldView } from './FieldView.tsx'
export type { CameraView, DropNote, FieldViewHandle, FieldViewProps, FieldViewTexts, FigureOnField, KeyAct } from './FieldView.types.ts'
export { FIELD_HEIGHT, FIELD_WIDTH, allowedPlace, directionOf } from './geometry.ts'
export type { Place, Point } from './geometry.ts'

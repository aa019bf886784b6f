/**
 * The drawing of the field. FieldView.tsx joins its parts, FieldLayers.tsx says what lies above what, fieldRenderer.ts
 * what a frame does. What figures are drawn of and where they are is in figures/, what is seen in camera/, mouse,
 * finger, pen and keys are in hands/, the pointers of others in pointers/; names, relations and sight lie beside this
 * folder.
 */
export { FieldView } from './FieldView.tsx';
export type { CameraView, FieldViewHandle, FieldViewProps, FigureOnField, KeyAct } from './fieldViewTypes.ts';
export { type FieldGround, groundKind, groundLook } from './ground.ts';
export type { Place } from './geometry.ts';

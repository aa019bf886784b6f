/**
 * The drawing of the field. FieldView.tsx joins its parts, FieldLayers.tsx orders the layers, fieldRenderer.ts defines
 * a frame. The parts and places of figures are in figures/, the visible part in camera/, mouse, finger, pen and keys in
 * hands/, the pointers of others in pointers/; names, relations and sight are beside this folder.
 */
export { FieldView } from './FieldView.tsx';
export type { CameraView, FieldViewHandle, FieldViewProps, FigureOnField, KeyAct } from './fieldViewTypes.ts';
export { type FieldGround, groundKind, groundLook } from './ground.ts';
export type { Place } from './geometry.ts';

/** The field as a picture, without the room around it. */
export type { FieldGround } from '../drawing/ground.ts';
export { figureName } from '../figureLabels.ts';
export { relationLook, relationWords } from '../relations/relationWords.ts';
export { LazySavePictureDialog } from './save/LazySavePictureDialog.tsx';
export { FieldStill } from './FieldStill.tsx';

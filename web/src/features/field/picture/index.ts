/** The field as a picture, without the room around it. */
export type { FieldGround } from '../drawing/ground.ts';
export { figureName } from '../figureLabels.ts';
export { relationLook, relationWords } from '../relations/relationWords.ts';
export { LazyPictureDialog } from './save/lazyPictureDialog.tsx';
export { FieldStill } from './FieldStill.tsx';

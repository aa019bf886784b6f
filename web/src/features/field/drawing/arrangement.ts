/** Places names and marks on the field. Fetched after the field stands; see FieldView.tsx. */
export { createArranger } from './arranger.ts';
export { EdgeMarks } from './EdgeMarks.tsx';
export { showFigures } from './marks.ts';

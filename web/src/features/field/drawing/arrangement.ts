/** Names, marks, relations and sight on the field. Fetched after the field stands; see FieldView.tsx. */
export { createArranger } from './arranger.ts';
export { EdgeMarks } from './EdgeMarks.tsx';
export { showFigures } from './marks.ts';
export { createLineFollower } from '../relations/lineFollower.ts';
export { RelationLayer } from '../relations/RelationLayer.tsx';
export { relationsOnField } from '../relations/relationLine.ts';
export { SightWedge } from '../sight/SightWedge.tsx';

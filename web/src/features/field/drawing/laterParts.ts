/** Names, marks, relations and sight on the field. Fetched after the field is drawn; see FieldView.tsx. */
export { createArranger } from '../names/arranger.ts';
export { EdgeMarks } from '../names/EdgeMarks.tsx';
export { showFigures } from '../names/marks.ts';
export { createLineFollower } from '../relations/lineFollower.ts';
export { RelationLayer } from '../relations/RelationLayer.tsx';
export { relationsOnField } from '../relations/relationLine.ts';
export { SightWedge } from '../sight/SightWedge.tsx';

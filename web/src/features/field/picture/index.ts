/** The field as a picture, without the room around it. */
export { FieldStill } from './FieldStill.tsx';

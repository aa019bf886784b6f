/** How a therapist's field and menus look. The room's part is in `ground/index.ts`. */
export { useMenuLook } from './menus/useMenuLook.ts';
export { useOwnGround } from './useOwnGround.ts';

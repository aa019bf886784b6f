/** The door of sound and picture: what the room puts beside its field. */
export { HandControl, LayoutSwitch, useLayout, VideoControls, VideoCorner } from './Controls.tsx';
export { createRoomVideo } from './door.ts';
export { Faces } from './Faces.tsx';
export { useVideoPart, useVideoStore, VideoContext } from './useVideo.ts';
export { handsInOrder } from './video.model.ts';
export type { VideoCalls, VideoStore } from './video.store.ts';

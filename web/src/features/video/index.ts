/** Video: what the room shows beside its field. */
export { HandControl, LayoutSwitch, useLayout, VideoControls, VideoCorner } from './VideoControls.tsx';
export { createRoomVideo } from './createRoomVideo.ts';
export { TalkingBars } from './TalkingBars.tsx';
export { VideoTiles } from './VideoTiles.tsx';
export { useVideoPart, useVideoStore, VideoContext } from './useVideo.ts';
export { handsInOrder } from './videoModel.ts';
export type { VideoCalls } from './videoStore.ts';

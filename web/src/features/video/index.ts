/** Video: what the room shows beside its field. */
export { HandControl, useLayout, VideoControls } from './VideoControls.tsx';
export { createRoomVideo } from './createRoomVideo.ts';
export { LazyLayoutSwitch, LazyStageControl, LazyVideoTiles, type PhoneVideo, phoneVideo } from './lazyVideo.tsx';
export { TalkingBars } from './TalkingBars.tsx';
export { useVideoPart, useVideoStore, VideoContext } from './useVideo.ts';
export { handsInOrder } from './videoModel.ts';
export type { VideoCalls } from './videoStore.ts';

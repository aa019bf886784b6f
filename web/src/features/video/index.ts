/** Video: the parts that the room shows beside its field. */
export { HandControl, useLayout, VideoControls } from './controls/VideoControls.tsx';
export { createRoomVideo } from './store/createRoomVideo.ts';
export { LazyLayoutSwitch, LazyStageControl, LazyVideoTiles, type PhoneVideo, phoneVideo } from './lazyVideo.tsx';
export { TalkingBars } from './tiles/TalkingBars.tsx';
export { useVideoPart, useVideoStore, VideoContext } from './store/useVideo.ts';
export { handsInOrder } from './store/videoModel.ts';
export type { VideoCalls } from './store/videoStore.ts';

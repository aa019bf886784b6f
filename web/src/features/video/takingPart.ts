/** What the room shows only while this person takes part in the video, in one file; see lazyVideo.tsx. */
export { LayoutSwitch } from './LayoutSwitch.tsx';
export { StageControl } from './StageControl.tsx';
export { VideoTiles } from './VideoTiles.tsx';

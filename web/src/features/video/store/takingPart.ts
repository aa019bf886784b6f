/** The parts of the room for people who take part in the video, in one file; see lazyVideo.tsx. */
export { LayoutSwitch } from '../controls/LayoutSwitch.tsx';
export { StageControl } from '../controls/StageControl.tsx';
export { VideoTiles } from '../tiles/VideoTiles.tsx';

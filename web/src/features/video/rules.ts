/** The contract's words on video that the room's first load needs: no schema library comes with them. */
export { TILES_A_PAGE } from '@fieldroom/contract/video.rules';
export type { VideoFace, VideoSettings, VideoState } from '@fieldroom/contract/video';

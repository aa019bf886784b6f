/** What a phone's menu needs of the video, in one file; see lazyVideo.tsx. */
export { useLayoutKeys } from './useLayoutKeys.ts';
export { VideoMenuItems } from './VideoMenuItems.tsx';
export { VideoOptionsDialog } from '../dialogs/VideoOptionsDialog.tsx';

/** The video's parts for a phone's menu, in one file; see lazyVideo.tsx. */
export { useLayoutKeys } from './useLayoutKeys.ts';
export { VideoMenuItems } from './VideoMenuItems.tsx';
export { VideoOptionsDialog } from '../dialogs/VideoOptionsDialog.tsx';

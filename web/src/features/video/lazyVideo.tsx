/**
 * The room's parts of the video: the banner at any time; tiles and layouts while this person takes part. Their code is
 * loaded with that of the media.
 */
import { createElement } from 'react';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import { takesPart, useVideoPart } from './store/useVideo.ts';
import { VideoBanner } from './VideoBanner.tsx';
import type { StageControlProps } from './controls/StageControl.tsx';
import type { VideoTilesProps } from './tiles/VideoTiles.tsx';

/** The code of the video in a phone's menu. */
export const phoneVideo = lazyPart(() => import('./controls/phoneVideo.ts'));
export type PhoneVideo = typeof import('./controls/phoneVideo.ts');

/** The code of tiles and layouts. */
export const takingPart = lazyPart(() => import('./store/takingPart.ts'));

/** Videos of the people who take part, and the banner, which needs no media and is therefore always available. */
export function LazyVideoTiles(props: VideoTilesProps) {
  const taking = useVideoPart(takesPart);
  const parts = useLazyPart(takingPart, taking);
  return (
    <>
      {taking && parts && createElement(parts.VideoTiles, props)}
      {/* A dialog opened from one banner closes with it. */}
      <VideoBanner key={String(taking)} me={props.me} therapist={props.therapist} onPlace={props.onPlace} />
    </>
  );
}

/** For the therapist, while they take part. */
export function LazyStageControl(props: StageControlProps) {
  const taking = useVideoPart(takesPart);
  const parts = useLazyPart(takingPart, taking);
  return taking && parts && createElement(parts.StageControl, props);
}

/** The switch between the three layouts in the top bar, while this person takes part. */
export function LazyLayoutSwitch() {
  const taking = useVideoPart(takesPart);
  const parts = useLazyPart(takingPart, taking);
  return taking && parts && createElement(parts.LayoutSwitch);
}

/** One tile: video or initial, the name, and plain marks for talking, raised hand and quality. */
import { IconHandStop, IconLock, IconMicrophoneOff, IconWifi1, IconWifi2 } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tile } from './tileModel.ts';
import { useVideoPart, useVideoStore } from '../store/useVideo.ts';
import { TalkingBars } from './TalkingBars.tsx';
import styles from '../video.module.css';

interface VideoTileProps {
  tile: Tile;
  large?: boolean;
  /** The therapist's name, for the note on a client's own tile. */
  therapist?: string;
}

/**
 * Draws what the tile model decided. One's own picture is mirrored; sound is played elsewhere. `large` is for the
 * therapist's tile and those on stage (docs/product.md#10.7, 10.13).
 */
export const VideoTile = memo(function VideoTile({ tile, large = false, therapist = '' }: VideoTileProps) {
  const { t } = useTranslation('video');
  const shows = tile.video && tile.videoStream !== null && !tile.unreadable;
  const name = tile.own ? t('you') : tile.name;
  const heard = tile.talking && tile.audio;
  return (
    <figure
      className={styles.tile}
      data-talking={heard || undefined}
      data-own={tile.own || undefined}
      data-note={tile.note ?? undefined}
      data-therapist={tile.therapist || undefined}
      data-large={large || undefined}
      data-person={tile.id}
      data-video={shows || undefined}
      aria-label={[
        name,
        heard ? t('mark.talking') : tile.audio ? '' : t('mark.muted'),
        tile.hand === null ? '' : t('mark.hand', { place: tile.hand }),
        tile.quality === 'good' ? '' : t(`mark.${tile.quality}`),
      ]
        .filter(Boolean)
        .join(', ')}
    >
      {shows ? (
        <VideoElement stream={tile.videoStream as MediaStream} mirrored={tile.own} />
      ) : (
        <span className={styles.initial} dir="auto" aria-hidden>
          {[...name][0]?.toLocaleUpperCase() ?? '?'}
        </span>
      )}
      {tile.unreadable && (
        <span className={styles.unreadable}>
          <IconLock size={18} stroke={1.75} aria-hidden />
          {t('notDecrypted')}
        </span>
      )}
      {tile.hand !== null && (
        <span className={styles.hand} title={t('mark.hand', { place: tile.hand })}>
          <IconHandStop size={18} stroke={1.75} aria-hidden />
        </span>
      )}
      <figcaption>
        {heard ? <TalkingBars /> : !tile.audio && <IconMicrophoneOff size={16} stroke={1.75} aria-hidden />}
        <span dir="auto">{name}</span>
        {tile.quality !== 'good' &&
          (tile.quality === 'poor' ? (
            <IconWifi1 size={16} stroke={1.75} aria-hidden />
          ) : (
            <IconWifi2 size={16} stroke={1.75} aria-hidden />
          ))}
      </figcaption>
      {tile.own && (
        <span className={styles.ownNote} aria-live="polite">
          {tile.note && t(`own.${tile.note}`, { name: therapist })}
        </span>
      )}
      <Details tile={tile} />
    </figure>
  );
});

/** Shows a stream through its element's `srcObject`, which React does not support. Audio is played elsewhere. */
function VideoElement({ stream, mirrored }: { stream: MediaStream; mirrored: boolean }) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const video = element.current;
    if (!video) return;
    if (video.srcObject !== stream) video.srcObject = stream;
    // Muted video may play without a gesture everywhere; if a data saver forbids it, the first frame stays.
    void video.play().catch(() => undefined);
  }, [stream]);
  return <video ref={element} muted playsInline autoPlay disableRemotePlayback data-mirrored={mirrored || undefined} />;
}

const LEVELS = [0, 1, 2] as const;

/**
 * Received sizes and rates, and buttons for simulcast and temporal layers; behind a switch, for people with technical
 * interest.
 */
function Details({ tile }: { tile: Tile }) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const on = useVideoPart((model) => model.view.details);
  if (!on || tile.own) return null;
  return (
    <div className={styles.details}>
      <span>
        {tile.size ? `${tile.size.width} × ${tile.size.height}` : t('details.noPicture')} ·{' '}
        {t('details.rate', { count: Math.round(tile.kbps) })}
      </span>
      {tile.layers &&
        (['substream', 'temporal'] as const).map((kind) => (
          <span key={kind} role="group" aria-label={t(`details.${kind}`, { name: tile.name })}>
            {t(`details.${kind}Short`)}
            {LEVELS.map((level) => (
              <button
                key={level}
                type="button"
                aria-pressed={
                  (kind === 'substream' ? tile.layers?.wantedSubstream : tile.layers?.wantedTemporal) === level
                }
                data-arrives={
                  (kind === 'substream' ? tile.layers?.substream : tile.layers?.temporal) === level || undefined
                }
                onClick={() => store.setLayers(tile.id, { [kind]: level })}
              >
                {level}
              </button>
            ))}
          </span>
        ))}
    </div>
  );
}

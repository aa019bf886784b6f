/**
 * The one message about video that a person should know or decide on, shown calmly where the tiles are: an offer, a
 * request of the therapist, a fault.
 */
import { IconHeadphones, IconLock, IconMicrophone, IconPlugConnected, IconVideo } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MediaFault } from '../../platform/media/mediaTypes.ts';
import type { JoinWith } from './store/videoModel.ts';
import { lastJoin } from './store/videoStore.ts';
import { useVideoPart, useVideoStore } from './store/useVideo.ts';
import styles from './video.module.css';

const DeviceCheckDialog = lazy(() =>
  import('./dialogs/DeviceCheckDialog.tsx').then((module) => ({ default: module.DeviceCheckDialog })),
);
const ConnectingDialog = lazy(() =>
  import('./dialogs/ConnectingDialog.tsx').then((module) => ({ default: module.ConnectingDialog })),
);

/** Trying again cannot help with these. */
const FINAL_FAULTS: ReadonlySet<MediaFault> = new Set([
  'unsupported',
  'insecure_page',
  'encryption_unsupported',
  'not_member',
  'live_session_over',
]);

interface VideoBannerProps {
  me: { as: 'therapist' | 'client' };
  therapist: { name: string };
  /** Takes an element over the field; the returned function is called when it is removed. A stable function. */
  onPlace(element: Element): (() => void) | undefined;
}

/**
 * Shows only the most important message. For participants these are, in this order: a fault, sound that the browser
 * blocked, a lost device, a request of the therapist, sending more than the room allows, reconnecting, and waiting for
 * the key. Other people see a fault, the offer to join, or how they will join. Also opens the check of devices and the
 * dialog while video connects.
 */
export function VideoBanner({ me, therapist, onPlace }: VideoBannerProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const offer = useVideoPart((model) => model.offer);
  const chosen = useVideoPart((model) => model.chosen);
  const asked = useVideoPart((model) => model.asked);
  const media = useVideoPart((model) => model.media);
  const [checking, setChecking] = useState(false);
  const taking = media.phase !== 'off' && media.phase !== 'disconnecting';
  const name = therapist.name;

  const join = (how: JoinWith) => store.join(how);
  const buttons = (main: JoinWith) => (
    <span className={styles.bannerActs}>
      {(['camera', 'microphone', 'watch'] as const).map((how) => (
        <button key={how} type="button" data-main={how === main || undefined} onClick={() => join(how)}>
          {how === 'camera' ? (
            <IconVideo size={20} stroke={1.75} aria-hidden />
          ) : how === 'microphone' ? (
            <IconMicrophone size={20} stroke={1.75} aria-hidden />
          ) : (
            <IconHeadphones size={20} stroke={1.75} aria-hidden />
          )}
          {t(`join.${how}`)}
        </button>
      ))}
    </span>
  );

  let note: ReactNode = null;
  if (media.fault !== null) {
    note = (
      <Note
        onPlace={onPlace}
        tone="fault"
        title={t(`fault.${media.fault}.title`)}
        text={t(`fault.${media.fault}.help`)}
      >
        <span className={styles.bannerActs}>
          {!FINAL_FAULTS.has(media.fault) && (
            <button type="button" data-main onClick={() => (taking ? setChecking(true) : join(lastJoin(store)))}>
              {t('again')}
            </button>
          )}
          {!taking && (
            <button type="button" onClick={() => setChecking(true)}>
              {t('check.open')}
            </button>
          )}
        </span>
      </Note>
    );
  } else if (taking && media.playBlocked) {
    note = (
      <Note onPlace={onPlace} title={t('tapToHear.title')} text={t('tapToHear.text')}>
        <span className={styles.bannerActs}>
          <button type="button" data-main onClick={() => store.play()}>
            {t('tapToHear.act')}
          </button>
        </span>
      </Note>
    );
  } else if (taking && media.own.lost !== null) {
    const lost = media.own.lost;
    note = (
      <Note onPlace={onPlace} title={t(`lost.${lost}`)}>
        <span className={styles.bannerActs}>
          <button
            type="button"
            data-main
            onClick={() => (lost === 'camera' ? store.setVideo(true) : store.setAudio(true))}
          >
            {t(`lost.${lost}Again`)}
          </button>
        </span>
      </Note>
    );
  } else if (taking && asked === 'unmute') {
    note = (
      <Note onPlace={onPlace} title={t('asked.unmute', { name })}>
        <span className={styles.bannerActs}>
          <button type="button" data-main onClick={() => store.setAudio(true)}>
            {t('asked.speak')}
          </button>
          <button type="button" onClick={() => store.dismissAsk()}>
            {t('asked.notNow')}
          </button>
        </span>
      </Note>
    );
  } else if (taking && asked === 'muted') {
    note = (
      <Note onPlace={onPlace} title={t('asked.muted', { name })} text={t('asked.mutedHint')}>
        <span className={styles.bannerActs}>
          <button type="button" onClick={() => store.dismissAsk()}>
            {t('understood')}
          </button>
        </span>
      </Note>
    );
  } else if (taking && media.limited.length > 0) {
    const kind = media.limited.includes('audio') ? 'audio' : 'video';
    note = <Note onPlace={onPlace} live title={t(`limited.${kind}.title`)} text={t(`limited.${kind}.text`)} />;
  } else if (media.phase === 'reconnecting') {
    note = (
      <Note
        onPlace={onPlace}
        live
        title={t('reconnecting')}
        icon={<IconPlugConnected size={20} stroke={1.75} aria-hidden />}
      />
    );
  } else if (taking && media.waitingForKey) {
    note = (
      <Note onPlace={onPlace} live title={t('waitingForKey')} icon={<IconLock size={20} stroke={1.75} aria-hidden />} />
    );
  } else if (!taking && offer !== null) {
    note = (
      <Note
        onPlace={onPlace}
        title={offer === 'again' ? t('offer.again') : t('offer.title', { name })}
        text={t('offer.text')}
      >
        {buttons(lastJoin(store))}
        <span className={styles.bannerMore}>
          <button type="button" onClick={() => setChecking(true)}>
            {t('check.open')}
          </button>
          <button type="button" onClick={() => store.dismissOffer()}>
            {t('offer.notNow')}
          </button>
        </span>
      </Note>
    );
  } else if (!taking && chosen !== null) {
    note = (
      <Note onPlace={onPlace} live title={t('chosen.title', { name })} text={t(`chosen.${chosen}`)}>
        <span className={styles.bannerActs}>
          <button type="button" onClick={() => store.dropChoice()}>
            {t('chosen.drop')}
          </button>
        </span>
      </Note>
    );
  }

  return (
    <>
      {note}
      <Suspense fallback={null}>
        {(media.phase === 'connecting' || media.phase === 'disconnecting') && (
          <ConnectingDialog phase={media.phase} onCancel={() => void store.leave()} />
        )}
        {checking && <DeviceCheckDialog me={me} therapistName={name} onClose={() => setChecking(false)} />}
      </Suspense>
    </>
  );
}

function Note({
  title,
  text,
  tone,
  icon,
  live,
  onPlace,
  children,
}: Pick<VideoBannerProps, 'onPlace'> & {
  title: string;
  text?: string;
  tone?: 'fault';
  icon?: ReactNode;
  live?: boolean;
  children?: ReactNode;
}) {
  const banner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (banner.current ? onPlace(banner.current) : undefined), [onPlace]);
  return (
    <div
      ref={banner}
      className={styles.banner}
      data-banner=""
      data-tone={tone}
      role={tone === 'fault' ? 'alert' : live ? 'status' : 'region'}
      {...(tone === 'fault' || live ? {} : { 'aria-label': title })}
    >
      <p>
        <strong>
          {icon}
          {title}
        </strong>
        {text && <span>{text}</span>}
      </p>
      {children}
    </div>
  );
}

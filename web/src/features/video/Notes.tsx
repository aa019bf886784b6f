/** What a person should know or decide about sound and picture, said calmly where the faces are: an offer, a wish of the therapist, a fault. */
import { IconHeadphones, IconLock, IconMicrophone, IconPlugConnected, IconVideo } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JoinWith } from './video.model.ts';
import { lastJoin } from './video.store.ts';
import { useVideoPart, useVideoStore } from './useVideo.ts';

const CheckDialog = lazy(() => import('./CheckDialog.tsx').then((module) => ({ default: module.CheckDialog })));
const StateDialog = lazy(() => import('./StateDialog.tsx').then((module) => ({ default: module.StateDialog })));

export function VideoNotes({ me, therapist }: { me: { as: 'therapist' | 'client' }; therapist: { name: string } }) {
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
    <span className="video-note-acts">
      {(['camera', 'voice', 'watch'] as const).map((how) => (
        <button key={how} type="button" data-main={how === main || undefined} onClick={() => join(how)}>
          {how === 'camera' ? (
            <IconVideo size={20} stroke={1.75} aria-hidden />
          ) : how === 'voice' ? (
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
      <Note tone="fault" title={t(`fault.${media.fault}.title`)} text={t(`fault.${media.fault}.help`)}>
        <span className="video-note-acts">
          {media.fault !== 'unsupported' &&
            media.fault !== 'insecure_page' &&
            media.fault !== 'encryption_unsupported' &&
            media.fault !== 'not_member' && (
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
      <Note title={t('tapToHear.title')} text={t('tapToHear.text')}>
        <span className="video-note-acts">
          <button type="button" data-main onClick={() => store.play()}>
            {t('tapToHear.act')}
          </button>
        </span>
      </Note>
    );
  } else if (taking && media.own.lost !== null) {
    const lost = media.own.lost;
    note = (
      <Note title={t(`lost.${lost}`)}>
        <span className="video-note-acts">
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
      <Note title={t('asked.unmute', { name })}>
        <span className="video-note-acts">
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
      <Note title={t('asked.muted', { name })} text={t('asked.mutedHint')}>
        <span className="video-note-acts">
          <button type="button" onClick={() => store.dismissAsk()}>
            {t('understood')}
          </button>
        </span>
      </Note>
    );
  } else if (media.phase === 'reconnecting') {
    note = <Note live title={t('reconnecting')} icon={<IconPlugConnected size={20} stroke={1.75} aria-hidden />} />;
  } else if (taking && media.waitingForKey) {
    note = <Note live title={t('waitingForKey')} icon={<IconLock size={20} stroke={1.75} aria-hidden />} />;
  } else if (!taking && offer !== null) {
    note = (
      <Note title={offer === 'again' ? t('offer.again') : t('offer.title', { name })} text={t('offer.text')}>
        {buttons(lastJoin(store))}
        <span className="video-note-more">
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
      <Note live title={t('chosen.title', { name })} text={t(`chosen.${chosen}`)}>
        <span className="video-note-acts">
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
          <StateDialog phase={media.phase} onCancel={() => void store.leave()} />
        )}
        {checking && <CheckDialog me={me} therapistName={name} onClose={() => setChecking(false)} />}
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
  children,
}: {
  title: string;
  text?: string;
  tone?: 'fault';
  icon?: ReactNode;
  live?: boolean;
  children?: ReactNode;
}) {
  return (
    <div
      className="video-note"
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

/** /app/play-area: opens the room (which starts the live session), the line, and shows the room. */
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiProblem } from '../../platform/api/index.ts';
import { type Channel, createChannel } from '../../platform/realtime/index.ts';
import { storage } from '../../platform/storage.ts';
import {
  admit,
  allIcons,
  decline,
  deleteIcon,
  endLiveSession,
  getRoom,
  iconImage,
  openRoom,
  remove,
  renewCode,
  saveIcon,
  setAdmission,
} from './calls.ts';
import { RoomLoading, RoomStopped } from './RoomStates.tsx';
import { createRoomStore, type RoomStore } from './room.store.ts';
import { TherapistRoom, type TherapistCalls } from './TherapistRoom.tsx';
import { RoomContext } from './useRoom.ts';
import { createRoomVideo, VideoContext } from '../video/index.ts';

export default function TherapistRoomPage() {
  const { t } = useTranslation('room');
  const scheme = useComputedColorScheme('light');
  const user = storage.get('user');
  const [stage, setStage] = useState<
    | { kind: 'opening' }
    | { kind: 'open'; store: RoomStore; video: ReturnType<typeof createRoomVideo> }
    | { kind: 'ended' }
    | { kind: 'failed'; problem: ApiProblem }
  >({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const userId = user?.id ?? null;

  useEffect(() => {
    if (userId === null) return undefined;
    let channel: Channel | null = null;
    let store: RoomStore | null = null;
    let video: ReturnType<typeof createRoomVideo> | null = null;
    let gone = false;
    setStage({ kind: 'opening' });
    api.call(openRoom).then(
      () => {
        if (gone) return;
        channel = createChannel({
          token: () => storage.getText('token'),
          personId: userId,
          therapistId: userId,
          kind: 'THERAPIST',
        });
        store = createRoomStore({ line: channel, me: { id: userId, as: 'THERAPIST' } });
        channel.onRefused((problem) => setStage({ kind: 'failed', problem }));
        video = createRoomVideo({ me: { id: userId, as: 'therapist' }, therapistId: userId, room: store });
        setStage({ kind: 'open', store, video });
      },
      (fault: unknown) => {
        if (!gone)
          setStage({ kind: 'failed', problem: fault instanceof ApiProblem ? fault : new ApiProblem('unknown_fault') });
      },
    );
    return () => {
      gone = true;
      video?.store.close();
      store?.close();
      channel?.close();
    };
  }, [userId, attempt]);

  const calls = useMemo<TherapistCalls>(
    () => ({
      getRoom: () => api.call(getRoom),
      admit: (ids) => api.call(admit, { body: { clientIds: ids } }),
      decline: (ids) => api.call(decline, { body: { clientIds: ids } }),
      remove: (clientId) => api.call(remove, { body: { clientId } }),
      renewCode: () => api.call(renewCode),
      setAdmission: (admission) => api.call(setAdmission, { body: { admission } }),
      end: () => api.call(endLiveSession),
      icons: {
        list: () => api.call(allIcons, { params: { therapistId: userId ?? 0 } }),
        image: (id) => api.call(iconImage, { params: { therapistId: userId ?? 0, id } }),
        save: (name, image) => api.call(saveIcon, { body: { ...(name ? { name } : {}), image } }),
        remove: (id) => api.call(deleteIcon, { params: { id } }),
      },
    }),
    [userId],
  );
  const onEnded = useMemo(() => () => setStage({ kind: 'ended' }), []);

  useEffect(() => {
    if (user) document.title = `${t('title', { name: user.firstName })} · Fieldroom`;
  }, [t, user]);

  if (!user || stage.kind === 'opening') return <RoomLoading />;
  if (stage.kind === 'ended') return <RoomStopped kind="ended" onAgain={() => setAttempt((count) => count + 1)} />;
  if (stage.kind === 'failed')
    return <RoomStopped kind="failed" problem={stage.problem} onAgain={() => setAttempt((count) => count + 1)} />;
  return (
    <RoomContext value={stage.store}>
      <VideoContext value={stage.video.store}>
        <TherapistRoom
          me={{ id: user.id, firstName: user.firstName }}
          joinLink={user.joinLink}
          calls={calls}
          video={stage.video.calls}
          scheme={scheme}
          onEnded={onEnded}
        />
      </VideoContext>
    </RoomContext>
  );
}

/** /app/play-area: opens the room (which starts the live session), the connection, and shows the room until it ends. */
import { setClientMessages } from '@fieldroom/contract/messages';
import { allIcons, deleteIcon, iconImage, saveIcon } from '@fieldroom/contract/field';
import {
  admit,
  clearWaiting,
  decline,
  endLiveSession,
  getRoom,
  openRoom,
  remove,
  renewCode,
  renewJoinLink,
  setAdmission,
} from '@fieldroom/contract/clients';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiProblem } from '../../../platform/api/index.ts';
import { createMessagesStore, MessagesContext, type MessagesStore } from '../../messages/index.ts';
import { createConnection } from '../../../platform/realtime/index.ts';
import { storage } from '../../../platform/storage.ts';
import { forgetOpened, noteOpened, returnsByItself } from './openedInTab.ts';
import { type EndedBy, RoomLoading, RoomStopped } from '../parts/RoomStates.tsx';
import { createRoomStore, type RoomStore } from '../store/roomStore.ts';
import { TherapistRoom } from './TherapistRoom.tsx';
import type { TherapistCalls } from './useTherapistRoom.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { createRoomVideo, VideoContext } from '../../video/index.ts';

type Stage =
  | { kind: 'opening' }
  | { kind: 'open'; store: RoomStore; video: ReturnType<typeof createRoomVideo>; messages: MessagesStore }
  | { kind: 'ended'; why: EndedBy }
  | { kind: 'failed'; problem: ApiProblem };

/** What the page says when the session has ended, by the server's reason. */
const ENDED_BY = { ended: 'ended', signed_out: 'signed_out', therapist_away: 'meanwhile' } as const;

export default function TherapistRoomPage() {
  const { t } = useTranslation('room');
  const scheme = useComputedColorScheme('light');
  const user = storage.get('user');
  const [stage, setStage] = useState<Stage>({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const userId = user?.id ?? null;

  useEffect(() => {
    if (userId === null) return undefined;
    const parts: { close(): void }[] = [];
    let gone = false;
    const closeAll = () => {
      gone = true;
      for (const part of parts.splice(0)) part.close();
    };
    // Nothing stays open behind the last page: neither a connection that could join again, nor a camera.
    const stop = (last: Stage) => {
      if (gone) return;
      closeAll();
      setStage(last);
    };
    const fail = (fault: unknown) =>
      stop({ kind: 'failed', problem: fault instanceof ApiProblem ? fault : new ApiProblem('unknown_fault') });
    const enter = () => {
      if (gone) return;
      noteOpened(userId);
      const connection = createConnection({
        token: () => storage.getText('token'),
        personId: userId,
        therapistId: userId,
        kind: 'THERAPIST',
      });
      const store = createRoomStore({ connection, me: { id: userId, as: 'THERAPIST' } });
      const video = createRoomVideo({ me: { id: userId, as: 'therapist' }, therapistId: userId, connection });
      const messages = createMessagesStore({
        connection,
        me: userId,
        allowClients: (mayWrite) => api.call(setClientMessages, { body: { mayWrite } }),
      });
      parts.push(video.store, messages, store, connection);
      connection.onRefused((problem) => {
        if (problem.code === 'live_session_over') stop({ kind: 'ended', why: 'meanwhile' });
        else fail(problem);
      });
      store.onNotice((notice) => {
        if (notice.kind !== 'over') return;
        // The video ended with the session: the next one is not offered a return to it.
        void video.store.leave();
        stop({ kind: 'ended', why: ENDED_BY[notice.reason] });
      });
      setStage({ kind: 'open', store, video, messages });
    };
    setStage({ kind: 'opening' });
    if (attempt === 0 && returnsByItself(userId)) {
      api.call(getRoom).then((room) => {
        if (room.liveSession) enter();
        else stop({ kind: 'ended', why: 'meanwhile' });
      }, fail);
    } else api.call(openRoom).then(enter, fail);
    return closeAll;
  }, [userId, attempt]);
  useEffect(() => forgetOpened, []);

  const calls = useMemo<TherapistCalls>(
    () => ({
      getRoom: () => api.call(getRoom),
      admit: (ids) => api.call(admit, { body: { clientIds: ids } }),
      clearWaiting: () => api.call(clearWaiting),
      decline: (ids) => api.call(decline, { body: { clientIds: ids } }),
      remove: (clientId) => api.call(remove, { body: { clientId } }),
      renewCode: () => api.call(renewCode),
      renewJoinLink: () => api.call(renewJoinLink),
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

  useEffect(() => {
    if (user) document.title = `${t('title', { name: user.firstName })} · Fieldroom`;
  }, [t, user]);

  if (!user || stage.kind === 'opening') return <RoomLoading />;
  if (stage.kind === 'ended')
    return <RoomStopped kind="ended" why={stage.why} onAgain={() => setAttempt((count) => count + 1)} />;
  if (stage.kind === 'failed')
    return <RoomStopped kind="failed" problem={stage.problem} onAgain={() => setAttempt((count) => count + 1)} />;
  return (
    <RoomProvider store={stage.store}>
      <VideoContext value={stage.video.store}>
        <MessagesContext value={stage.messages}>
          <TherapistRoom
            me={{ id: user.id, firstName: user.firstName }}
            joinLink={user.joinLink}
            calls={calls}
            video={stage.video.calls}
            scheme={scheme}
          />
        </MessagesContext>
      </VideoContext>
    </RoomProvider>
  );
}

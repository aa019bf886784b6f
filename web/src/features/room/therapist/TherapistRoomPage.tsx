/** /app/play-area: opens the room (which starts the live session), the connection, and shows the room until it ends. */
import { setClientMessages } from '@fieldroom/contract/messages';
import { inviteWords } from '@fieldroom/contract/observerWords';
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
import { getUsage } from '@fieldroom/contract/usage';
import { HELP_PAGE } from '@fieldroom/contract/pages';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiProblem, isTemporary, TRY_AGAIN_MS } from '../../../platform/api/index.ts';
import { createGround, type GroundStore } from '../../design/ground/index.ts';
import { createMessagesStore, MessagesContext, type MessagesStore } from '../../messages/index.ts';
import { createLatestMoments, type LatestMoments } from '../../moments/index.ts';
import { createObserverWordsStore, ObserverWordsContext, type ObserverWordsStore } from '../../observerWords/index.ts';
import { createConnection } from '../../../platform/realtime/index.ts';
import { storage } from '../../../platform/storage.ts';
import { forgetOpened, noteOpened, returnsByItself } from './openedInTab.ts';
import { type EndedBy, RoomLoading, RoomStopped } from '../frame/RoomStates.tsx';
import { createRoomStore, type RoomStore } from '../store/roomStore.ts';
import { TherapistRoom } from './TherapistRoom.tsx';
import type { TherapistCalls } from './useTherapistRoom.ts';
import { RoomProvider } from '../store/useRoom.ts';
import {
  createTimerStore,
  LazyUsageDialog,
  type OpenedDialog,
  loadRoomTimer,
  noteInRoom,
  TimerContext,
  type TimerStore,
} from '../../usage/index.ts';
import { createRoomVideo, VideoContext } from '../../video/index.ts';

type Phase =
  | { kind: 'opening' }
  | {
      kind: 'open';
      store: RoomStore;
      video: ReturnType<typeof createRoomVideo>;
      messages: MessagesStore;
      moments: LatestMoments;
      words: ObserverWordsStore;
      timer: TimerStore;
      ground: GroundStore;
    }
  | { kind: 'ended'; why: EndedBy }
  | { kind: 'failed'; problem: ApiProblem };

/** The page's text when the session has ended, by the server's reason. */
const ENDED_BY = {
  ended: 'ended',
  signed_out: 'signed_out',
  therapist_away: 'meanwhile',
  timed_out: 'timed_out',
  trial_over: 'trial_over',
} as const;
/** The dialog over the last page, if there is one. */
const LAST_DIALOG: Partial<Record<EndedBy, OpenedDialog>> = {
  timed_out: { dialog: 'timedout', until: null },
  trial_over: { dialog: 'trialover', until: null },
};
/** Explains how to continue after the trial. */
const toWelcomePage = () => location.replace(HELP_PAGE);

/**
 * A reloaded page returns to the running live session and never starts one (docs/product.md#6.1). After the trial it
 * leads to the help page (docs/product.md#7.4). Closes connection, camera and microphone before the next page.
 */
export default function TherapistRoomPage() {
  const { t } = useTranslation('room');
  const scheme = useComputedColorScheme('light');
  const user = storage.get('user');
  const [phase, setPhase] = useState<Phase>({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const userId = user?.id ?? null;
  /** Starts the timer again. */
  const stay = useRef(() => {});

  useEffect(() => {
    if (userId === null) return undefined;
    const parts: { close(): void }[] = [];
    /** The report to the server when the page is left; none once the live session has ended. */
    let sayLeft = () => {};
    let gone = false;
    const closeAll = () => {
      gone = true;
      for (const part of parts.splice(0)) part.close();
    };
    // Nothing stays open behind the last page: neither a connection that could join again, nor a camera.
    const stop = (last: Phase) => {
      if (gone) return;
      sayLeft = () => {};
      closeAll();
      setPhase(last);
    };
    const fail = (fault: unknown) => {
      if (fault instanceof ApiProblem && fault.code === 'trial_over') {
        closeAll();
        toWelcomePage();
        return;
      }
      stop({ kind: 'failed', problem: fault instanceof ApiProblem ? fault : new ApiProblem('unknown_fault') });
    };
    const enter = () => {
      if (gone) return;
      noteOpened(userId);
      noteInRoom();
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
      const moments = createLatestMoments(connection);
      const words = createObserverWordsStore({
        connection,
        invite: (invited) => api.call(inviteWords, { body: { invited } }),
      });
      const timer = createTimerStore({ connection, therapistId: userId });
      const ground = createGround(connection, userId);
      loadRoomTimer().then(
        ({ createRoomTimer }) => {
          if (gone) return;
          const attending = createRoomTimer({ connection, userId, store: timer });
          parts.push(attending);
          sayLeft = attending.duty.leave;
          stay.current = attending.duty.start;
        },
        // Without it the connection still shows the server who is here.
        () => undefined,
      );
      parts.push(ground, timer, video.store, moments, words, messages, store, connection);
      connection.onRefused((problem) => {
        if (problem.code === 'live_session_over') stop({ kind: 'ended', why: 'meanwhile' });
        else fail(problem);
      });
      store.onNotice((notice) => {
        if (notice.kind !== 'over') return;
        // The video ended with the session: the next one must not offer a return to it.
        void video.store.leave();
        stop({ kind: 'ended', why: ENDED_BY[notice.reason] });
      });
      setPhase({ kind: 'open', store, video, messages, moments, words, timer, ground });
    };
    setPhase({ kind: 'opening' });
    /** A reloaded page continues a running session. After the trial none is running, nor can one be opened. */
    const comeBack = async () => {
      const { liveSession } = await api.call(getRoom);
      if (liveSession) enter();
      else if ((await api.call(getUsage)).trialOver) toWelcomePage();
      else stop({ kind: 'ended', why: 'meanwhile' });
    };
    let tryAgain: ReturnType<typeof setTimeout> | undefined;
    /**
     * A page that stopped because of a lost connection or a server restart resumes automatically: this starts no live
     * session.
     */
    const returnByItself = () => {
      comeBack().catch((fault: unknown) => {
        if (gone) return;
        if (!(fault instanceof ApiProblem) || !isTemporary(fault)) {
          fail(fault);
          return;
        }
        setPhase({ kind: 'failed', problem: fault });
        tryAgain = setTimeout(returnByItself, TRY_AGAIN_MS);
      });
    };
    if (attempt === 0 && returnsByItself(userId)) returnByItself();
    else api.call(openRoom).then(enter, fail);
    return () => {
      clearTimeout(tryAgain);
      sayLeft();
      closeAll();
    };
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
    // The open room has its own title, with the number of waiting people.
    if (user && phase.kind !== 'open') document.title = `${t('title', { name: user.firstName })} · Fieldroom`;
  }, [t, user, phase.kind]);

  if (!user || phase.kind === 'opening') return <RoomLoading />;
  if (phase.kind === 'ended') return <RoomEnded why={phase.why} onAgain={() => setAttempt((count) => count + 1)} />;
  if (phase.kind === 'failed')
    return <RoomStopped kind="failed" problem={phase.problem} onAgain={() => setAttempt((count) => count + 1)} />;
  return (
    <RoomProvider store={phase.store}>
      <VideoContext value={phase.video.store}>
        <MessagesContext value={phase.messages}>
          <ObserverWordsContext value={phase.words}>
            <TimerContext value={phase.timer}>
              <TherapistRoom
                me={{ id: user.id, firstName: user.firstName }}
                joinLink={user.joinLink}
                calls={calls}
                video={phase.video.calls}
                onStay={() => stay.current()}
                scheme={scheme}
                ground={phase.ground}
                moments={phase.moments}
              />
            </TimerContext>
          </ObserverWordsContext>
        </MessagesContext>
      </VideoContext>
    </RoomProvider>
  );
}

/** The last page, with the reason of the end in a dialog over it. */
function RoomEnded({ why, onAgain }: { why: EndedBy; onAgain(): void }) {
  const last = LAST_DIALOG[why];
  const [closed, setClosed] = useState(false);
  return (
    <>
      <div inert={why === 'trial_over' && !closed}>
        <RoomStopped kind="ended" why={why} onAgain={onAgain} />
      </div>
      {last && <LazyUsageDialog opened={!closed} which={last} onClose={() => setClosed(true)} />}
    </>
  );
}

/**
 * /app/play-area-view: the room of a client who was let in. Returns to the same seat by the stored token, without
 * asking for a name.
 */
import { allIcons, iconImage } from '@fieldroom/contract/field';
import { type Client, type Seat, getSeat, leaveRoom, setNonActive } from '@fieldroom/contract/clients';
import type { EndReason } from '@fieldroom/contract/realtime';
import { useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiProblem, isTemporary, TRY_AGAIN_MS } from '../../../platform/api/index.ts';
import { createGround, type GroundStore } from '../../design/ground/index.ts';
import { createMessagesStore, MessagesContext, type MessagesStore } from '../../messages/index.ts';
import { createObserverWordsStore, ObserverWordsContext, type ObserverWordsStore } from '../../observerWords/index.ts';
import { createConnection, takeHandOver } from '../../../platform/realtime/index.ts';
import { byeAddress, forgetClient, joinPath, storage } from '../../../platform/storage.ts';
import { LEAVE_WITHIN_MS, within } from '../../../platform/time/within.ts';
import { ClientRoom } from './ClientRoom.tsx';
import { replacePage } from '../../../ui/dialogs/backCloses.ts';
import type { IconCalls } from '../../field/index.ts';
import { RoomLoading, RoomStopped } from '../frame/RoomStates.tsx';
import { createRoomStore, type RoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { createTimerStore, TimerContext, type TimerStore } from '../../usage/index.ts';
import { createRoomVideo, VideoContext } from '../../video/index.ts';

/** The join page's goodbye with the reason; a page of the light entry, hence a full load. */
type Why = 'over' | 'left' | 'removed' | 'declined' | 'away';
const bye = (why: Why, client: Client | null) => {
  forgetClient(storage, client?.id);
  replacePage(byeAddress(why, client?.therapist.joinLink));
};

/** The session ended because of inactivity. All other reasons count as an end by the therapist. */
const AWAY: ReadonlySet<EndReason> = new Set(['therapist_away', 'timed_out']);

/** What a refused token means for somebody who was in the room. */
function farewell(problem: ApiProblem): 'over' | 'removed' | 'declined' | null {
  if (problem.code === 'live_session_over') return 'over';
  if (problem.code === 'declined') return 'declined';
  if (problem.code === 'sent_out') return 'removed';
  return null;
}

/**
 * Opens the connection and everything that uses it, requests the seat, and closes all of it before the next page.
 * Reuses a connection that the waiting room handed over (docs/product.md#11.67). Temporary faults are retried
 * automatically (docs/product.md#11.36).
 */
export default function ClientRoomPage() {
  const { t } = useTranslation('room');
  const scheme = useComputedColorScheme('light');
  const [phase, setPhase] = useState<
    | { kind: 'opening' }
    | {
        kind: 'open';
        store: RoomStore;
        seat: Seat;
        video: ReturnType<typeof createRoomVideo>;
        messages: MessagesStore;
        words: ObserverWordsStore;
        timer: TimerStore;
        ground: GroundStore;
      }
    | { kind: 'failed'; problem: ApiProblem }
  >({ kind: 'opening' });
  const [attempt, setAttempt] = useState({ count: 0, byItself: false });
  /** The owner of the room, even after another tab has signed somebody else in. */
  const person = useRef<Client | null>(null);
  const leave = useRef<(why: Why) => void>(() => undefined);
  const closeRoom = useRef<() => void>(() => undefined);

  useEffect(() => {
    const parts: { close(comesBack?: boolean): void }[] = [];
    let gone = false;
    /** `comesBack`: the person has not left, and wants to find their texts again. */
    const closeParts = (comesBack: boolean) => {
      for (const part of parts.splice(0)) part.close(comesBack);
    };
    const closeAll = (comesBack = false) => {
      gone = true;
      closeParts(comesBack);
    };
    closeRoom.current = closeAll;
    // Nothing of the room stays open behind the next page: no connection, no camera, no microphone.
    const refused = (problem: ApiProblem) => {
      if (gone) return;
      const client = person.current;
      const why = farewell(problem);
      const signedOut = problem.code === 'not_signed_in' || problem.code === 'session_expired';
      closeAll(why === null && !signedOut);
      if (why) bye(why, client);
      else if (signedOut) {
        forgetClient(storage, client?.id);
        replacePage(joinPath(client));
      }
      // The token is valid and only no seat is free: the waiting room says so and lets them in as soon as there is one.
      else if (problem.code === 'room_full') replacePage(joinPath(client));
      else setPhase({ kind: 'failed', problem });
    };
    // The stored client names the seat: the connection need not wait a round trip for the server's answer.
    const known = storage.get('client');
    person.current = known;
    let handedOver = known && takeHandOver(known.id);
    /**
     * Opens what the room needs. `ahead`: before the server has answered about the seat; that call also brings back a
     * person who was away for long.
     */
    const open = ({ id, therapist }: Client, ahead = false) => {
      const connection =
        handedOver?.connection ??
        createConnection({
          token: () => storage.getText('token'),
          personId: id,
          therapistId: therapist.id,
          kind: 'CLIENT',
        });
      const store = createRoomStore({ connection, me: { id, as: 'CLIENT' } });
      const video = createRoomVideo({ me: { id, as: 'client' }, therapistId: therapist.id, connection });
      const messages = createMessagesStore({ connection, me: id });
      const words = createObserverWordsStore({ connection });
      const timer = createTimerStore({ connection, therapistId: therapist.id });
      const ground = createGround(connection, therapist.id);
      parts.push(ground, timer, video.store, words, messages, store, connection);
      // Only the call for the seat knows why the connection was refused.
      connection.onRefused((problem) => {
        void settled
          .then(() => (gone ? null : api.call(getSeat)))
          .then(
            (seat) => {
              if (seat !== null && ahead) enter(seat);
              else refused(problem);
            },
            (fault: unknown) => refused(fault instanceof ApiProblem ? fault : problem),
          );
      });
      leave.current = (why) => {
        closeAll();
        bye(why, person.current);
      };
      store.onNotice((notice) => {
        if (notice.kind === 'over') leave.current(AWAY.has(notice.reason) ? 'away' : 'over');
        else if (notice.kind === 'removed') leave.current('removed');
      });
      // Handed over by the waiting room; any other is already in the room.
      connection.enterRoom();
      return { store, video, messages, words, timer, ground };
    };
    /** Takes the seat, and what was opened ahead for it. */
    const enter = (seat: Seat, opened?: ReturnType<typeof open>) => {
      if (gone) return;
      if (seat.state === 'waiting') {
        closeAll(true);
        replacePage(joinPath(seat.client));
        return;
      }
      storage.set('client', seat.client);
      person.current = seat.client;
      if (!opened) closeParts(true);
      setPhase({ kind: 'open', seat, ...(opened ?? open(seat.client)) });
    };
    if (!attempt.byItself) setPhase({ kind: 'opening' });
    const asked = handedOver?.seat ?? api.call(getSeat);
    const opened = known ? open(known, true) : undefined;
    handedOver = null;
    const settled = asked.then(
      // Another tab may have taken another seat in the meantime.
      (seat) => enter(seat, seat.client.id === known?.id ? opened : undefined),
      (fault: unknown) => refused(fault instanceof ApiProblem ? fault : new ApiProblem('unknown_fault')),
    );
    return closeAll;
  }, [attempt]);
  // A page that stopped because of a lost connection or a server restart resumes automatically (docs/product.md#11.36).
  useEffect(() => {
    if (phase.kind !== 'failed' || !isTemporary(phase.problem)) return undefined;
    const timer = setTimeout(() => setAttempt(({ count }) => ({ count: count + 1, byItself: true })), TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [phase]);

  const therapistId = phase.kind === 'open' ? phase.seat.client.therapist.id : 0;
  const icons = useMemo<IconCalls>(
    () => ({
      list: () => api.call(allIcons, { params: { therapistId } }),
      image: (id) => api.call(iconImage, { params: { therapistId, id } }),
      save: () => Promise.reject(new ApiProblem('forbidden')),
      remove: () => Promise.reject(new ApiProblem('forbidden')),
    }),
    [therapistId],
  );
  const onLeave = useCallback(async () => {
    // The page closes all the same: nobody stays on camera because the server does not answer.
    await within(LEAVE_WITHIN_MS, api.call(leaveRoom, { keepalive: true }));
    leave.current('left');
  }, []);

  /** Inactive while the therapist was away: returns to the page by which the client came. */
  const onIdle = useCallback(() => {
    const client = person.current;
    closeRoom.current();
    // Without waiting: the page closes, with or without a connection.
    if (client) api.call(setNonActive, { params: { userId: client.id }, keepalive: true }).catch(() => undefined);
    forgetClient(storage, client?.id);
    replacePage(`${joinPath(client)}?why=idle`);
  }, []);

  const therapistName = phase.kind === 'open' ? phase.seat.client.therapist.firstName : null;
  useEffect(() => {
    if (therapistName) document.title = `${t('title', { name: therapistName })} · Fieldroom`;
  }, [t, therapistName]);

  if (phase.kind === 'opening') return <RoomLoading />;
  if (phase.kind === 'failed')
    return (
      <RoomStopped
        kind="failed"
        problem={phase.problem}
        withoutDashboard
        onAgain={() => setAttempt(({ count }) => ({ count: count + 1, byItself: false }))}
      />
    );
  return (
    <RoomProvider store={phase.store}>
      <VideoContext value={phase.video.store}>
        <MessagesContext value={phase.messages}>
          <ObserverWordsContext value={phase.words}>
            <TimerContext value={phase.timer}>
              <ClientRoom
                client={phase.seat.client}
                nameTaken={phase.seat.nameTaken}
                icons={icons}
                scheme={scheme}
                ground={phase.ground}
                onHand={phase.video.calls.raiseHand}
                onLeave={onLeave}
                onIdle={onIdle}
              />
            </TimerContext>
          </ObserverWordsContext>
        </MessagesContext>
      </VideoContext>
    </RoomProvider>
  );
}

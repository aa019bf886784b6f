/** /app/play-area-view: the room of a client who was let in. Comes back to the same seat by the stored token, without a word about names. */
import type { Seat } from '@fieldroom/contract/clients';
import type { EndReason } from '@fieldroom/contract/realtime';
import { useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiProblem } from '../../platform/api/index.ts';
import { type Channel, createChannel } from '../../platform/realtime/index.ts';
import { forgetPerson, storage } from '../../platform/storage.ts';
import { allIcons, getSeat, iconImage, leaveRoom } from './calls.ts';
import { ClientRoom } from './ClientRoom.tsx';
import type { IconCalls } from './icons.ts';
import { RoomLoading, RoomStopped } from './RoomStates.tsx';
import { createRoomStore, type RoomStore } from './room.store.ts';
import { RoomContext } from './useRoom.ts';
import { createRoomVideo, VideoContext } from '../video/index.ts';

/** The door's good-bye page with why; a page of the light entry, hence a full load. */
const bye = (why: 'over' | 'left' | 'removed' | 'declined' | 'away') => {
  forgetPerson(storage);
  location.replace(`/user/bye?why=${why}`);
};

/** What a refused token means for somebody who was in the room. */
function farewell(problem: ApiProblem): 'over' | 'removed' | 'declined' | null {
  if (problem.code === 'live_session_over') return 'over';
  if (problem.code === 'declined') return 'declined';
  if (problem.code === 'sent_out') return 'removed';
  return null;
}

export default function ClientRoomPage() {
  const { t } = useTranslation('room');
  const scheme = useComputedColorScheme('light');
  const [stage, setStage] = useState<
    | { kind: 'opening' }
    | { kind: 'open'; store: RoomStore; seat: Seat; video: ReturnType<typeof createRoomVideo> }
    | { kind: 'failed'; problem: ApiProblem }
  >({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let channel: Channel | null = null;
    let store: RoomStore | null = null;
    let video: ReturnType<typeof createRoomVideo> | null = null;
    let gone = false;
    const refused = (problem: ApiProblem) => {
      if (gone) return;
      const why = farewell(problem);
      if (why) bye(why);
      else if (problem.code === 'not_signed_in' || problem.code === 'session_expired') {
        const link = storage.get('client')?.therapist.joinLink;
        forgetPerson(storage);
        location.replace(link ? `/user/join/${link}` : '/user/code');
      } else setStage({ kind: 'failed', problem });
    };
    setStage({ kind: 'opening' });
    api.call(getSeat).then(
      (seat) => {
        if (gone) return;
        if (seat.state === 'waiting') {
          location.replace(`/user/join/${seat.client.therapist.joinLink}`);
          return;
        }
        storage.set('client', seat.client);
        channel = createChannel({
          token: () => storage.getText('token'),
          personId: seat.client.id,
          therapistId: seat.client.therapist.id,
          kind: 'CLIENT',
        });
        store = createRoomStore({ line: channel, me: { id: seat.client.id, as: 'CLIENT' } });
        // Why the line was refused is known to the seat call alone.
        channel.onRefused((problem) => {
          api.call(getSeat).then(
            () => refused(problem),
            (fault: unknown) => refused(fault instanceof ApiProblem ? fault : problem),
          );
        });
        video = createRoomVideo({
          me: { id: seat.client.id, as: 'client' },
          therapistId: seat.client.therapist.id,
          room: store,
        });
        setStage({ kind: 'open', store, seat, video });
      },
      (fault: unknown) => refused(fault instanceof ApiProblem ? fault : new ApiProblem('unknown_fault')),
    );
    return () => {
      gone = true;
      video?.store.close();
      store?.close();
      channel?.close();
    };
  }, [attempt]);

  const therapistId = stage.kind === 'open' ? stage.seat.client.therapist.id : 0;
  const icons = useMemo<IconCalls>(
    () => ({
      list: () => api.call(allIcons, { params: { therapistId } }),
      image: (id) => api.call(iconImage, { params: { therapistId, id } }),
      save: () => Promise.reject(new ApiProblem('forbidden')),
      remove: () => Promise.reject(new ApiProblem('forbidden')),
    }),
    [therapistId],
  );
  const onOver = useCallback((reason: EndReason) => bye(reason === 'therapist_away' ? 'away' : 'over'), []);
  const onRemoved = useCallback(() => bye('removed'), []);
  const onLeave = useCallback(async () => {
    await api.call(leaveRoom).catch(() => undefined);
    bye('left');
  }, []);

  const therapistName = stage.kind === 'open' ? stage.seat.client.therapist.firstName : null;
  useEffect(() => {
    if (therapistName) document.title = `${t('title', { name: therapistName })} · Fieldroom`;
  }, [t, therapistName]);

  if (stage.kind === 'opening') return <RoomLoading />;
  if (stage.kind === 'failed')
    return <RoomStopped kind="failed" problem={stage.problem} onAgain={() => setAttempt((count) => count + 1)} />;
  return (
    <RoomContext value={stage.store}>
      <VideoContext value={stage.video.store}>
        <ClientRoom
          client={stage.seat.client}
          icons={icons}
          scheme={scheme}
          onHand={stage.video.calls.raiseHand}
          onLeave={onLeave}
          onOver={onOver}
          onRemoved={onRemoved}
        />
      </VideoContext>
    </RoomContext>
  );
}

/**
 * The light entry: finds out who comes and shows the one page that is next. No router: three addresses and one state.
 */
import type { Seat } from '@fieldroom/contract/clients';
import { useCallback, useEffect, useState } from 'react';
import { holdLinkKey, seatLinkKey } from '../../platform/linkKey.ts';
import { byeAddress, forgetPerson, storage } from '../../platform/storage.ts';
import { Skeleton } from '../../light/controls.tsx';
import { type ByeReason, byeReason, findOut, type Found, placeOf } from './entry.ts';
import { CodeForm, JoinForm } from './Forms.tsx';
import { Blocked, Bye, Trouble, Unknown } from './Notices.tsx';
import { DoorFrame } from './DoorFrame.tsx';
import { Waiting } from './Waiting.tsx';
import { useDoorWords } from './useDoorWords.ts';

/** Real time until a page that could not find out tries again by itself. */
export const TRY_AGAIN_MS = 5_000;

type State =
  | { kind: 'looking' }
  | Found
  | { kind: 'bye'; why: ByeReason; therapist: string | null; joinLink: string | null };

export function Door() {
  const { t } = useDoorWords();
  const [place, setPlace] = useState(() => placeOf(window.location.pathname, window.location.search));
  const [state, setState] = useState<State>(() =>
    place.page === 'bye'
      ? { kind: 'bye', why: byeReason(place.why), therapist: null, joinLink: place.joinLink }
      : { kind: 'looking' },
  );
  const [full, setFull] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const back = () => {
      setPlace(placeOf(window.location.pathname, window.location.search));
      setAttempt((count) => count + 1);
    };
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);

  useEffect(() => {
    if (place.page === 'bye')
      return setState({ kind: 'bye', why: byeReason(place.why), therapist: null, joinLink: place.joinLink });
    let current = true;
    if (place.page === 'join') holdLinkKey(place.joinLink);
    void findOut(place).then((found) => {
      if (!current) return;
      if (found.kind === 'in' || found.kind === 'waiting') seatLinkKey(found.seat.client.therapist);
      if (found.kind === 'in') goIn();
      else setState(found);
    });
    return () => {
      current = false;
    };
  }, [place, attempt]);

  useEffect(() => {
    if (state.kind !== 'problem') return undefined;
    const timer = setTimeout(() => setAttempt((count) => count + 1), TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const onSeat = useCallback((seat: Seat) => {
    setFull(false);
    storage.set('client', seat.client);
    seatLinkKey(seat.client.therapist);
    if (seat.state === 'in') goIn();
    else setState({ kind: 'waiting', seat });
  }, []);
  const onFull = useCallback(() => setFull(true), []);
  const onBye = useCallback((why: ByeReason) => {
    const client = storage.get('client');
    forgetPerson(storage);
    window.history.replaceState(null, '', byeAddress(why, client?.therapist.joinLink));
    setState((now) => {
      const known = now.kind === 'waiting' ? now.seat.client : client;
      return {
        kind: 'bye',
        why,
        therapist: known?.therapist.firstName ?? null,
        joinLink: known?.therapist.joinLink ?? null,
      };
    });
  }, []);
  const toCode = () => {
    window.history.pushState(null, '', '/user/code');
    setPlace({ page: 'code' });
    setState({ kind: 'form', host: null });
  };

  switch (state.kind) {
    case 'looking':
    case 'in':
      return (
        <DoorFrame title="Fieldroom">
          <Skeleton label={t('loading')} />
        </DoorFrame>
      );
    case 'blocked':
      return <Blocked />;
    case 'unknown':
      return <Unknown />;
    case 'problem':
      return (
        <Trouble
          problem={state.problem}
          onAgain={() => {
            setState({ kind: 'looking' });
            setAttempt((count) => count + 1);
          }}
        />
      );
    case 'bye':
      return <Bye why={state.why} therapist={state.therapist} joinLink={state.joinLink} />;
    case 'full': {
      // The token still holds, only no seat is free: wait like the others, with the client as it was stored.
      const client = storage.get('client');
      if (!client) return <Unknown />;
      return (
        <Waiting
          seat={{ client, state: 'waiting', therapistHere: true, nameTaken: false }}
          full
          onIn={goIn}
          onBye={onBye}
          onSeat={onSeat}
          onFull={onFull}
        />
      );
    }
    case 'waiting':
      return <Waiting seat={state.seat} full={full} onIn={goIn} onBye={onBye} onSeat={onSeat} onFull={onFull} />;
    case 'form':
      if (place.page === 'join' && state.host)
        return (
          <JoinForm
            joinLink={place.joinLink}
            host={state.host}
            onSeat={onSeat}
            onCode={toCode}
            onUnknown={() => setState({ kind: 'unknown' })}
          />
        );
      return <CodeForm onSeat={onSeat} />;
  }
}

/** The room is a page of the app, hence a full load; nothing of the door stays in the history. */
function goIn(): void {
  window.location.replace('/app/play-area-view');
}

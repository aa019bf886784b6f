/** The join page: finds out who opens it and shows the next view. No router: three addresses and one state. */
import type { Client, JoinPageData, Seat } from '@fieldroom/contract/clients';
import { CODE_PAGE } from '@fieldroom/contract/pages';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TRY_AGAIN_MS } from '../../platform/api/request.ts';
import { holdLinkKey, seatLinkKey } from '../../platform/links/linkKey.ts';
import { byeAddress, forgetClient, storage } from '../../platform/storage.ts';
import { type GoodbyeReason, goodbyeReason, type JoinAddress, readJoinAddress } from './joinAddress.ts';
import { findWhatToShow, type JoinView } from './seat.ts';
import { CodeForm, JoinForm } from './JoinForms.tsx';
import { ComingInPage, SignedInHerePage, GoodbyePage, ProblemPage, UnknownRoomPage } from './JoinNotices.tsx';
import { LoadingView } from './JoinFrame.tsx';
import { WaitingRoom } from './waiting/WaitingRoom.tsx';

type State =
  | { kind: 'looking' }
  | JoinView
  | { kind: 'goodbye'; why: GoodbyeReason; therapist: string | null; joinLink: string | null };

export interface JoinPageProps {
  /** What the server found out already, and drew; null if the page has to ask. */
  first?: { address: JoinAddress; view: JoinPageData } | null;
  /** Opens the room in this document; this page stays visible until the room is drawn. */
  openRoomHere: () => void;
}

/**
 * Root component of the join page's document. Shows what the server has drawn, or fetches it; after a fault it retries
 * automatically. People who are let in get the room in the same document (docs/product.md#11.67).
 */
export function JoinPage({ first = null, openRoomHere }: JoinPageProps) {
  const [address, setAddress] = useState(
    () => first?.address ?? readJoinAddress(window.location.pathname, window.location.search),
  );
  const [state, setState] = useState<State>(() =>
    address.page === 'goodbye'
      ? { kind: 'goodbye', why: goodbyeReason(address.why), therapist: null, joinLink: address.joinLink }
      : (first?.view ?? { kind: 'looking' }),
  );
  /** Until the address changes, the page does not request what the server has written into it. */
  const known = useRef(first !== null);
  /** The room sent this person here because they did nothing while the therapist was away (docs/product.md#7.6). */
  const [wasIdle] = useState(
    () => typeof window !== 'undefined' && new URLSearchParams(window.location.search).get('why') === 'idle',
  );
  const openRoom = useRef(openRoomHere);
  const [full, setFull] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const onBack = () => {
      known.current = false;
      setAddress(readJoinAddress(window.location.pathname, window.location.search));
      setAttempt((count) => count + 1);
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);

  useEffect(() => {
    if (address.page === 'goodbye')
      return setState({
        kind: 'goodbye',
        why: goodbyeReason(address.why),
        therapist: null,
        joinLink: address.joinLink,
      });
    let current = true;
    if (address.page === 'join') holdLinkKey(address.joinLink);
    if (known.current) return undefined;
    void findWhatToShow(address).then((found) => {
      if (!current) return;
      if (found.kind === 'in' || found.kind === 'waiting') seatLinkKey(found.seat.client.therapist);
      setState(found);
      if (found.kind === 'in') openRoom.current();
    });
    return () => {
      current = false;
    };
  }, [address, attempt]);

  useEffect(() => {
    if (state.kind !== 'problem') return undefined;
    const timer = setTimeout(() => setAttempt((count) => count + 1), TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const onSeat = useCallback((seat: Seat) => {
    setFull(false);
    // Another tab may have signed somebody else in since.
    if (storage.get('client')?.id === seat.client.id) storage.set('client', seat.client);
    seatLinkKey(seat.client.therapist);
    setState(seat.state === 'in' ? { kind: 'in', seat } : { kind: 'waiting', seat });
    if (seat.state === 'in') openRoom.current();
  }, []);
  const onFull = useCallback(() => setFull(true), []);
  const onGoodbye = useCallback((why: GoodbyeReason, { id, therapist }: Client) => {
    forgetClient(storage, id);
    window.history.replaceState(null, '', byeAddress(why, therapist.joinLink));
    setState({ kind: 'goodbye', why, therapist: therapist.firstName, joinLink: therapist.joinLink });
  }, []);
  const onBlocked = () => setState({ kind: 'blocked' });
  const toCode = () => {
    known.current = false;
    window.history.pushState(null, '', CODE_PAGE);
    setAddress({ page: 'code' });
    setState({ kind: 'form', host: null });
  };

  switch (state.kind) {
    case 'looking':
      return <LoadingView />;
    case 'in':
      return <ComingInPage name={state.seat.client.name} />;
    case 'blocked':
      return <SignedInHerePage />;
    case 'unknown':
      return <UnknownRoomPage />;
    case 'problem':
      return (
        <ProblemPage
          problem={state.problem}
          onAgain={() => {
            setState({ kind: 'looking' });
            setAttempt((count) => count + 1);
          }}
        />
      );
    case 'goodbye':
      return <GoodbyePage why={state.why} therapist={state.therapist} joinLink={state.joinLink} />;
    case 'full': {
      // The token is still valid and only no seat is free: wait like the others, with the stored client.
      const client = storage.get('client');
      if (!client) return <UnknownRoomPage />;
      return (
        <WaitingRoom
          seat={{ client, state: 'waiting', therapistHere: true, nameTaken: false }}
          full
          onAdmitted={openRoomHere}
          onGoodbye={onGoodbye}
          onSeat={onSeat}
          onFull={onFull}
        />
      );
    }
    case 'waiting':
      return (
        <WaitingRoom
          seat={state.seat}
          full={full}
          onAdmitted={openRoomHere}
          onGoodbye={onGoodbye}
          onSeat={onSeat}
          onFull={onFull}
        />
      );
    case 'form':
      if (address.page === 'join' && state.host)
        return (
          <JoinForm
            joinLink={address.joinLink}
            host={state.host}
            wasIdle={wasIdle}
            onSeat={onSeat}
            onBlocked={onBlocked}
            onCode={toCode}
            onUnknown={() => setState({ kind: 'unknown' })}
          />
        );
      return <CodeForm wasIdle={wasIdle} onSeat={onSeat} onBlocked={onBlocked} />;
  }
}

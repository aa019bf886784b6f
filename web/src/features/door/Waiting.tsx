/** At the door: hears its own channel only, asks the server again where the line may have missed something. */
import type { Seat } from '@fieldroom/contract/clients';
import type { Change } from '@fieldroom/contract/realtime';
import { useEffect, useRef, useState } from 'react';
import type { Channel } from '../../platform/realtime/channel.ts';
import { storage } from '../../platform/storage.ts';
import { Beam, FigureShape } from '../../ui/figures/FigureShape.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import { askSeat, type ByeReason, byeReason, goAway, type SeatAnswer } from './entry.ts';
import { DoorFrame, DoorRings } from './parts.tsx';
import { useDoorWords } from './words.ts';

/** Asked again this often: the therapist's coming is told to the room, which somebody who waits does not hear. */
const ASK_EVERY_MS = 10_000;

export interface WaitingProps {
  seat: Seat;
  /** The seat is lost for now: 24 are in. */
  full: boolean;
  onIn(): void;
  onBye(why: ByeReason): void;
  onSeat(seat: Seat): void;
  onFull(): void;
}

export function Waiting({ seat, full, onIn, onBye, onSeat, onFull }: WaitingProps) {
  const { t } = useDoorWords();
  const { scheme } = useAppearance();
  const [lost, setLost] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [letIn, setLetIn] = useState(false);
  const leave = useRef(false);
  const calls = useRef({ onIn, onBye, onSeat, onFull });
  calls.current = { onIn, onBye, onSeat, onFull };
  const personId = seat.client.id;
  const therapistId = seat.client.therapist.id;

  useEffect(() => {
    const gone = new AbortController();
    let channel: Channel | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const take = (answer: SeatAnswer) => {
      if (gone.signal.aborted || leave.current) return;
      setLost(answer.kind === 'problem' && answer.problem.code === 'offline');
      if (answer.kind === 'in') {
        setLetIn(true);
        calls.current.onIn();
      } else if (answer.kind === 'waiting') calls.current.onSeat(answer.seat);
      else if (answer.kind === 'full') calls.current.onFull();
      // Whoever waits was never in: sent out at the door means not let in, also when the line's end is noticed before the word.
      else if (answer.kind === 'gone') calls.current.onBye(answer.why === 'removed' ? 'declined' : answer.why);
    };
    const ask = () => {
      clearTimeout(timer);
      askSeat(gone.signal).then(take, () => {}).finally(() => {
        if (!gone.signal.aborted) timer = setTimeout(ask, ASK_EVERY_MS);
      });
    };
    const hear = (change: Change) => {
      if (leave.current) return;
      switch (change.eventType) {
        case 'ADMISSION':
          if (change.contents.state === 'in') {
            setLetIn(true);
            calls.current.onIn();
          } else calls.current.onBye(change.contents.state);
          return;
        case 'SESSION_OUT': calls.current.onBye(byeReason(change.contents.reason)); return;
        case 'DISCONNECTED': case 'RECONNECTED': case 'UNREGISTER_USER': ask(); return;
        default:
      }
    };
    // The socket's code comes after the first paint: nobody waits for it to read where they are.
    void import('../../platform/realtime/channel.ts').then(({ createChannel }) => {
      if (gone.signal.aborted) return;
      channel = createChannel({ token: () => storage.getText('token'), personId, therapistId, kind: 'CLIENT', inRoom: false });
      channel.onChange(hear);
      channel.onLine((line) => setLost(line === 'lost'));
      // Whatever happened while the line was down is in the answer.
      channel.whenOpen(ask);
      channel.onRefused(ask);
    });
    timer = setTimeout(ask, ASK_EVERY_MS);
    return () => {
      gone.abort();
      clearTimeout(timer);
      channel?.close();
    };
  }, [personId, therapistId]);

  const goOut = async () => {
    leave.current = true;
    setLeaving(true);
    await goAway();
    onBye('left');
  };

  const { name } = seat.client;
  const therapist = seat.client.therapist.firstName;
  return (
    <DoorFrame title={t('waiting.pageTitle')} lit>
      <div className="door-meeting" aria-hidden>
        <DoorRings radii={[66, 94, 124, 159, 200, 248]} />
        <svg viewBox="-175 -125 350 250" focusable="false">
          <g transform="translate(90 -58) rotate(238) scale(.66)"><Beam tone="#D7A065" scheme={scheme} /></g>
          <g transform="translate(-90 68) rotate(58) scale(.66)"><Beam tone="#4BA8E2" scheme={scheme} /></g>
          <g transform="translate(90 -58) rotate(238) scale(.74)"><FigureShape kind="FEMALE_FIGURE" tone="#D7A065" scheme={scheme} /></g>
          <g transform="translate(-90 68) rotate(58) scale(.74)"><FigureShape kind="FEMALE_FIGURE" tone="#4BA8E2" scheme={scheme} /></g>
        </svg>
      </div>
      <h1 className="fr-voice">{t('waiting.title', { name })}</h1>
      <div role="status">
        <p className="door-lead">
          {letIn ? t('waiting.in') : full ? `${t('waiting.full')}. ${t('waiting.fullText')}` : t(seat.therapistHere ? 'waiting.lead' : 'waiting.awayLead', { therapist })}
        </p>
        {lost && !letIn ? <p className="door-lost">{t('waiting.lost')}</p> : null}
      </div>
      <span className="door-grow" />
      <button type="button" className="door-quiet door-muted" aria-disabled={leaving || letIn} onClick={() => { if (!leaving && !letIn) void goOut(); }}>{leaving ? t('waiting.leaving') : t('waiting.leave')}</button>
    </DoorFrame>
  );
}

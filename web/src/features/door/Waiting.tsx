/** At the door: what somebody sees who waits. What is heard and asked meanwhile is in wait.ts. */
import type { Seat } from '@fieldroom/contract/clients';
import { useEffect, useRef, useState } from 'react';
import { storage } from '../../platform/storage.ts';
import { Beam, FigureShape } from '../../ui/figures/FigureShape.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import { type ByeReason, goAway } from './entry.ts';
import { DoorFrame, DoorRings } from './DoorFrame.tsx';
import { type Wait, waitAtDoor } from './wait.ts';
import { useDoorWords } from './useDoorWords.ts';

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
  const calls = useRef({ onIn, onBye, onSeat, onFull });
  calls.current = { onIn, onBye, onSeat, onFull };
  const known = useRef(seat);
  known.current = seat;
  const wait = useRef<Wait | null>(null);
  const personId = seat.client.id;
  const therapistId = seat.client.therapist.id;

  useEffect(() => {
    const mine = waitAtDoor({
      seat: known.current,
      // The socket's code comes after the first paint: nobody waits for it to read where they are.
      openLine: async () => {
        const { createConnection } = await import('../../platform/realtime/connection.ts');
        return createConnection({
          token: () => storage.getText('token'),
          personId,
          therapistId,
          kind: 'CLIENT',
          inRoom: false,
        });
      },
      told(news) {
        switch (news.kind) {
          case 'line':
            setLost(news.lost);
            return;
          case 'seat':
            calls.current.onSeat(news.seat);
            return;
          case 'full':
            calls.current.onFull();
            return;
          case 'in':
            setLetIn(true);
            calls.current.onIn();
            return;
          case 'bye':
            calls.current.onBye(news.why);
        }
      },
    });
    wait.current = mine;
    return () => mine.stop();
  }, [personId, therapistId]);

  const goOut = async () => {
    wait.current?.stop();
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
          <g transform="translate(90 -58) rotate(238) scale(.66)">
            <Beam tone="#D7A065" scheme={scheme} />
          </g>
          <g transform="translate(-90 68) rotate(58) scale(.66)">
            <Beam tone="#4BA8E2" scheme={scheme} />
          </g>
          <g transform="translate(90 -58) rotate(238) scale(.74)">
            <FigureShape kind="FEMALE_FIGURE" tone="#D7A065" scheme={scheme} />
          </g>
          <g transform="translate(-90 68) rotate(58) scale(.74)">
            <FigureShape kind="FEMALE_FIGURE" tone="#4BA8E2" scheme={scheme} />
          </g>
        </svg>
      </div>
      <h1 className="fr-voice">{t('waiting.title', { name })}</h1>
      <div role="status">
        <p className="door-lead">
          {letIn
            ? t('waiting.in')
            : full
              ? `${t('waiting.full')}. ${t('waiting.fullText')}`
              : t(seat.therapistHere ? 'waiting.lead' : 'waiting.awayLead', { therapist })}
        </p>
        {lost && !letIn ? <p className="door-lost">{t('waiting.lost')}</p> : null}
      </div>
      <span className="door-grow" />
      <button
        type="button"
        className="door-quiet door-muted"
        aria-disabled={leaving || letIn}
        onClick={() => {
          if (!leaving && !letIn) void goOut();
        }}
      >
        {leaving ? t('waiting.leaving') : t('waiting.leave')}
      </button>
    </DoorFrame>
  );
}

/** The waiting room: the view of a waiting client. waitForAdmission.ts makes the requests and listens to messages. */
import { type Client, getSeat, type Seat } from '@fieldroom/contract/clients';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../platform/api/api.ts';
import { handOver } from '../../../platform/realtime/handOver.ts';
import { storage } from '../../../platform/storage.ts';
import { Beam, FigureShape } from '../../../ui/figures/FigureShape.tsx';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import type { GoodbyeReason } from '../joinAddress.ts';
import { fetchRoomAhead } from '../opening/roomAhead.ts';
import { leave } from '../seat.ts';
import { JoinFrame, Rings } from '../JoinFrame.tsx';
import { type Wait, waitForAdmission } from './waitForAdmission.ts';
import { joinLanguage, useJoinWords } from '../useJoinWords.ts';
import parts from '../joinParts.module.css';
import styles from './WaitingRoom.module.css';

export interface WaitingRoomProps {
  seat: Seat;
  /** The seat is lost for now: 24 people are in the room. */
  full: boolean;
  onAdmitted(): void;
  onGoodbye(why: GoodbyeReason, client: Client): void;
  onSeat(seat: Seat): void;
  onFull(): void;
}

/** Hands the connection over to the room, and requests the seat while the room's scripts start. */
function handOverRoom(waiting: Wait, clientId: number): void {
  const connection = waiting.giveConnection();
  if (connection === null) return;
  const seat = api.call(getSeat);
  // The room receives a fault.
  seat.catch(() => undefined);
  handOver({ clientId, connection, seat });
}

/**
 * Opens the connection after its first paint, and then fetches the room's files (docs/product.md#11.67). Its callbacks
 * report that the person is in, has to leave, has another seat, or that the room is full. Leaving gives the seat back.
 */
export function WaitingRoom({ seat, full, onAdmitted, onGoodbye, onSeat, onFull }: WaitingRoomProps) {
  const { t } = useJoinWords();
  const { scheme } = useAppearance();
  const [lost, setLost] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [letIn, setLetIn] = useState(false);
  const handlers = useRef({ onAdmitted, onGoodbye, onSeat, onFull });
  handlers.current = { onAdmitted, onGoodbye, onSeat, onFull };
  const latestSeat = useRef(seat);
  latestSeat.current = seat;
  const wait = useRef<Wait | null>(null);
  const filesAreThere = useRef(false);
  const personId = seat.client.id;
  const therapistId = seat.client.therapist.id;

  useEffect(() => {
    const waits = new AbortController();
    const waiting = waitForAdmission({
      seat: latestSeat.current,
      // The code of the connection is loaded after the first paint: people can read where they are without waiting for
      // it.
      openConnection: async () => {
        const { createConnection } = await import('../../../platform/realtime/connection.ts');
        void fetchRoomAhead(joinLanguage(), waits.signal).then((all) => {
          filesAreThere.current = all;
        });
        return createConnection({
          token: () => storage.getText('token'),
          personId,
          therapistId,
          kind: 'CLIENT',
          inRoom: false,
        });
      },
      onNews(news) {
        switch (news.kind) {
          case 'connection':
            setLost(news.lost);
            return;
          case 'seat':
            handlers.current.onSeat(news.seat);
            return;
          case 'full':
            handlers.current.onFull();
            return;
          case 'in':
            setLetIn(true);
            // Nobody listens to a connection that was handed over until the room's scripts run. While files are still
            // loading that is too long: the room opens its own connection, and this one stays until then.
            if (filesAreThere.current) handOverRoom(waiting, personId);
            handlers.current.onAdmitted();
            return;
          case 'goodbye':
            handlers.current.onGoodbye(news.why, latestSeat.current.client);
        }
      },
    });
    wait.current = waiting;
    return () => {
      waits.abort();
      waiting.stop();
    };
  }, [personId, therapistId]);

  const leaveWaitingRoom = async () => {
    wait.current?.stop();
    setLeaving(true);
    await leave();
    onGoodbye('stayedOut', seat.client);
  };

  const { name } = seat.client;
  const therapist = seat.client.therapist.firstName;
  return (
    <JoinFrame title={t('waiting.pageTitle')} lit>
      <div className={parts.meeting} aria-hidden>
        <Rings radii={[66, 94, 124, 159, 200, 248]} />
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
        <p className={parts.lead}>
          {letIn
            ? t('waiting.in')
            : full
              ? `${t('waiting.full')}. ${t('waiting.fullText')}`
              : t(seat.therapistHere ? 'waiting.lead' : 'waiting.awayLead', { therapist })}
        </p>
        {lost && !letIn ? <p className={styles.lost}>{t('waiting.lost')}</p> : null}
      </div>
      {letIn ? null : <p className={styles.camera}>{t('waiting.camera')}</p>}
      <span className={parts.grow} />
      <button
        type="button"
        className={`${parts.quiet} ${styles.muted}`}
        aria-disabled={leaving || letIn}
        onClick={() => {
          if (!leaving && !letIn) void leaveWaitingRoom();
        }}
      >
        {leaving ? t('waiting.leaving') : t('waiting.leave')}
      </button>
    </JoinFrame>
  );
}

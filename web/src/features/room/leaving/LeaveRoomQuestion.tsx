/** Asks before the therapist leaves a room with a running live session (docs/product.md#11.50). */
import { THERAPIST_AWAY_MINUTES } from '@fieldroom/contract/clients';
import { use, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../platform/storage.ts';
import { noteTimerStaysTold } from '../../usage/index.ts';
import { LazyLeavingDialog } from '../dialogs/lazyDialogs.tsx';
import { useRoomPart, useRoomStore } from '../store/useRoom.ts';
import { AppExitContext } from './appExit.ts';
import { useDocumentLeaving } from './useDocumentLeaving.ts';

export interface LeaveRoomQuestionProps {
  /** The running live session; null while it is not known. */
  sessionId: number | null;
  /** Ends the live session. */
  onEnd(): Promise<void>;
  onFailed(): void;
}

/** After signing out there is nothing to return to. */
const signedIn = () => storage.get('user') !== null;

/**
 * Mounted with the room, and asks only while the live session runs. The person stays, leaves, or ends the session and
 * leaves. If the session ends elsewhere, the question closes and the person stays. `onFailed` is called when the
 * session could not be ended.
 */
export function LeaveRoomQuestion({ sessionId, onEnd, onFailed }: LeaveRoomQuestionProps) {
  const { t } = useTranslation('room');
  const store = useRoomStore();
  const count = useRoomPart((model) => model.people.length);
  const [ending, setEnding] = useState(false);
  const runs = useCallback(() => !store.get().over && signedIn(), [store]);
  // The browser's own question has no words of ours: it is used only if clients would be left alone.
  const warns = useCallback(() => runs() && store.get().people.length > 0, [runs, store]);
  // Which of the two applies is the same as long as the room is drawn.
  const useLeaving = use(AppExitContext)?.useLeaving ?? useDocumentLeaving;
  const leaving = useLeaving({ asks: runs, warns });
  // When the live session ends elsewhere, so does the reason to ask: the person stays and reads why.
  const stay = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    stay.current = ending ? undefined : leaving.stay;
  });
  useEffect(() => () => stay.current?.(), []);
  const minutes = THERAPIST_AWAY_MINUTES;
  const go = () => {
    // The question has already said it.
    if (sessionId !== null) noteTimerStaysTold(sessionId);
    leaving.go();
  };
  const end = async () => {
    setEnding(true);
    try {
      await onEnd();
      leaving.go();
    } catch {
      onFailed();
    } finally {
      setEnding(false);
    }
  };
  return (
    <LazyLeavingDialog
      opened={leaving.asked}
      title={t('leave.title')}
      text={count === 0 ? t('leave.nobody', { minutes }) : t('leave.people', { count, minutes })}
      stay={t('leave.stay')}
      go={t('leave.go')}
      end={t('leave.end')}
      busy={ending}
      onStay={leaving.stay}
      onGo={go}
      onEnd={() => void end()}
    />
  );
}

/**
 * A thin bar on top, which pushes the room down. It shows while this person or the therapist is disconnected, and while
 * an act waits for its answer.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectionState, useRoomPart, useUnanswered } from '../store/useRoom.ts';
import styles from './ConnectionBar.module.css';

/** A shorter interruption is not worth a word. */
const QUIET_MS = 1200;

interface ConnectionBarProps {
  therapistName: string;
  /** The therapist's own room: there is nobody else to wait for. */
  own?: boolean;
  /** What else pushes the room down. */
  children?: ReactNode;
}

/** Trouble shorter than 1.2 seconds is not shown. Other notices that push the room down stand inside it as children. */
export function ConnectionBar({ therapistName, own = false, children }: ConnectionBarProps) {
  const text = useTrouble(therapistName, own);
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) {
      setShown(null);
      return undefined;
    }
    const timer = setTimeout(() => setShown(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className={styles.place} role="status">
      {shown !== null && <div className={styles.bar}>{shown}</div>}
      {children}
    </div>
  );
}

/** What is wrong right now, in words; null while nothing is. */
function useTrouble(therapistName: string, own: boolean): string | null {
  const { t } = useTranslation('room');
  const state = useConnectionState();
  const unanswered = useUnanswered();
  const over = useRoomPart((model) => model.over);
  const therapistGone = useRoomPart((model) => model.field !== null && !model.therapistHere);
  if (over) return null;
  if (state === 'lost') return t('connection.offline');
  if (unanswered) return t('connection.unanswered');
  return therapistGone && !own ? t('connection.therapistAway', { name: therapistName }) : null;
}

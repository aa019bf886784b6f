/**
 * A thin bar at the top, which pushes the room down. It shows while this person or the therapist is disconnected, and
 * while an act is not confirmed.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NEWS_MS } from '../../../ui/states/newsTimes.ts';
import { useConnectionState, useRoomPart, useUnanswered } from '../store/useRoom.ts';
import styles from './ConnectionBar.module.css';

/** A shorter interruption is not reported. */
const QUIET_MS = 1200;

interface ConnectionBarProps {
  therapistName: string;
  /** The therapist's own room: there is nobody else to wait for. */
  own?: boolean;
  /** Other notices that push the room down. */
  children?: ReactNode;
}

/**
 * Trouble shorter than 1.2 seconds is not shown; the end of a shown problem is read out once. Other notices that push
 * the room down stand inside it as children.
 */
export function ConnectionBar({ therapistName, own = false, children }: ConnectionBarProps) {
  const { t } = useTranslation('room');
  const over = useRoomPart((model) => model.over);
  const trouble = useTrouble(own);
  const [shown, setShown] = useState<Trouble | null>(null);
  const [ended, setEnded] = useState<Trouble | null>(null);
  const last = useRef<Trouble | null>(null);
  useEffect(() => {
    if (trouble === null || over) {
      if (!over) setEnded(last.current);
      last.current = null;
      setShown(null);
      const timer = setTimeout(() => setEnded(null), NEWS_MS);
      return () => clearTimeout(timer);
    }
    const timer = setTimeout(() => {
      last.current = trouble;
      setShown(trouble);
      setEnded(null);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [trouble, over]);
  return (
    <div className={styles.place} role="status">
      {shown !== null && <div className={styles.bar}>{t(`connection.${shown}`, { name: therapistName })}</div>}
      {ended !== null && <span className="fr-hidden">{t(`connection.over.${ended}`, { name: therapistName })}</span>}
      {children}
    </div>
  );
}

type Trouble = 'offline' | 'unanswered' | 'therapistAway';

/** The present problem; null while there is none. */
function useTrouble(own: boolean): Trouble | null {
  const state = useConnectionState();
  const unanswered = useUnanswered();
  const therapistGone = useRoomPart((model) => model.field !== null && !model.therapistHere);
  if (state === 'lost') return 'offline';
  if (unanswered) return 'unanswered';
  return therapistGone && !own ? 'therapistAway' : null;
}

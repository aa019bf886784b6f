/** A thin bar on top while a line is down: the own one, or the therapist's. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLine, useRoomPart } from './useRoom.ts';

/** A blink of the line is not worth a word. */
const QUIET_MS = 1200;

export function LineBar({ therapistName, own }: { therapistName: string; own?: boolean }) {
  const { t } = useTranslation('room');
  const line = useLine();
  const therapistHere = useRoomPart((model) => model.therapistHere);
  const over = useRoomPart((model) => model.over);
  const fieldKnown = useRoomPart((model) => model.field !== null);
  const text = over
    ? null
    : line === 'lost'
      ? t('line.offline')
      : !own && fieldKnown && !therapistHere
        ? t('line.therapistAway', { name: therapistName })
        : null;
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) {
      setShown(null);
      return undefined;
    }
    const timer = setTimeout(() => setShown(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <div role="status">{shown !== null && <div className="room-line">{shown}</div>}</div>;
}

/**
 * A picture of the therapist's own that perhaps nobody else may see: fetched with the sign-in, as an `<img>` by itself
 * carries none.
 */
import { useEffect, useState } from 'react';
import { useSeenOnce } from '../../../ui/useSeenOnce.ts';
import { findPicture } from '../eventsApi.ts';
import type { ImageRef } from './choose/chosenPicture.ts';
import { EventPicture } from './EventPicture.tsx';
import styles from './EventPicture.module.css';

export interface OwnPictureProps {
  image: ImageRef;
  /** Decides which landscape is shown where the picture can't be fetched. */
  seed: string | number;
}

export function OwnPicture({ image: { eventId, fileName }, seed }: OwnPictureProps) {
  const key = `${eventId}/${fileName}`;
  // A dialog may hold two hundred of them; only those that come into sight are fetched.
  const { box, seen } = useSeenOnce<HTMLSpanElement>();
  const [shown, setShown] = useState<{ key: string; address: string | null } | null>(null);
  useEffect(() => {
    if (!seen) return undefined;
    const leaving = new AbortController();
    let address: string | null = null;
    findPicture(eventId, fileName, leaving.signal).then(
      (picture) => {
        if (leaving.signal.aborted) return;
        address = URL.createObjectURL(picture);
        setShown({ key, address });
      },
      () => {
        if (!leaving.signal.aborted) setShown({ key, address: null });
      },
    );
    return () => {
      leaving.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [seen, key, eventId, fileName]);
  return shown?.key === key ? (
    <EventPicture address={shown.address} seed={seed} />
  ) : (
    <span ref={box} className={styles.picture} aria-hidden />
  );
}

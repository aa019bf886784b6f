/**
 * A picture of the therapist's own that perhaps nobody else may see: fetched with the sign-in, which an `<img>` cannot
 * send.
 */
import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../../../ui/useObjectUrl.ts';
import { useSeenOnce } from '../../../ui/useSeenOnce.ts';
import { eventQueries } from '../eventQueries.ts';
import type { ImageRef } from './choose/chosenPicture.ts';
import { EventPicture } from './EventPicture.tsx';
import styles from './EventPicture.module.css';

export interface OwnPictureProps {
  image: ImageRef;
  /** Decides which landscape is shown if the picture can't be fetched. */
  seed: string | number;
}

/** Fetches the picture once it scrolls into view, shows it through an object URL, and revokes that on unmount. */
export function OwnPicture({ image: { eventId, fileName }, seed }: OwnPictureProps) {
  // A dialog may contain two hundred of them; only those in view are fetched.
  const { box, seen } = useSeenOnce<HTMLSpanElement>();
  const picture = useQuery({ ...eventQueries.ownPicture(eventId, fileName), enabled: seen });
  const address = useObjectUrl(picture.data);
  return address !== null || picture.isError ? (
    <EventPicture address={address} seed={seed} />
  ) : (
    <span ref={box} className={styles.picture} aria-hidden />
  );
}

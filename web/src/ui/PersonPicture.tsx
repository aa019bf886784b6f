/** A person's picture in a circle, or their initials. Their name is beside it, so it has no text of its own. */
import { useState } from 'react';
import styles from './PersonPicture.module.css';

export interface PersonPictureProps {
  /** Address of the picture; null shows the initials. */
  picture: string | null;
  initials: string;
  /** Width in px. */
  size: number;
}

/** A picture that fails to load is replaced by the initials. */
export function PersonPicture({ picture, initials, size }: PersonPictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const box = { width: size, height: size };
  if (picture !== null && picture !== broken)
    return <img className={styles.picture} style={box} src={picture} alt="" onError={() => setBroken(picture)} />;
  return (
    <span
      className={styles.picture}
      style={{ ...box, fontSize: size * 0.38 }}
      data-initials={initials.toUpperCase()}
      aria-hidden
    />
  );
}
